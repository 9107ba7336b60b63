// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: replay
// RUN: %explore %s %t paths_completed=2 ledger=0 -- --sym-stdin 1
// RUN: %fathom replay %t.program %t.out --fail-on-divergence | FileCheck %s
// CHECK: branch traces all 2 agree
// CHECK: stdout        all 2 agree
//
// A structure that is passed by value is aligned to 8 natively, and to more in the engine: a program that looks at those bits of its address takes the
// engine's path.
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct pair {
  long a, b, c;
};

__attribute__((noinline)) static int isAligned(struct pair p, struct pair q) {
  const int first = ((uintptr_t)&p & 15) == 0, second = (uintptr_t)&q % 16 == 0;
  return first + 2 * second;
}

__attribute__((noinline)) static int later(long a, long b, long c, long d, long e, long f, long g, struct pair p) {
  return isAligned(p, p) + (((uintptr_t)&p & 8) ? 10 : 0);
}

int main(void) {
  char c = 0;
  read(0, &c, 1);
  struct pair p = {1, 2, 3};
  if (c == 'a')
    p.a = 5;
  printf("%d %d\n", isAligned(p, p), later(1, 2, 3, 4, 5, 6, 7, p));
  return 0;
}
