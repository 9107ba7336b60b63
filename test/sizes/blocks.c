// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g %s -o %t
// RUN: rm -rf %t.out %t.two && %fathom explore %t --memory symbolic-size=64 -o %t.out | FileCheck %s
// Each number of items, and of bytes, in one run: 5 sizes of the one, 10 of the other, two ways for three of them.
// CHECK: 100 completed, 0 ended by a bug or an assumption, 0 unfinished
// CHECK: bugs          0
// RUN: %fathom replay %t %t.out | FileCheck %s --check-prefix=REPLAY
// REPLAY: branch traces all 100 agree
// REPLAY: stdout        all 100 agree
// RUN: %fathom explore %t --memory symbolic-size=64 --jobs 2 -o %t.two | FileCheck %s
// Each way to get a block of symbolic size, and what is done with one.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <klee/klee.h>
static unsigned sum(const unsigned char *p, size_t n) {
  unsigned s = 0;
  for (size_t i = 0; i < n; i++) s += p[i] == '7';
  return s;
}
int main(void) {
  size_t n, m;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_make_symbolic(&m, sizeof m, "m");
  klee_assume(n >= 2);
  klee_assume(n <= 6);
  klee_assume(m <= 9);
  unsigned char *p = malloc(n);
  klee_make_symbolic(p, n, "data");
  unsigned char vla[n];
  memcpy(vla, p, n);
  int *numbers = calloc(n, sizeof *numbers);
  assert(numbers[1] == 0);
  numbers[n - 1] = 5;
  p = realloc(p, m + 1);
  memset(p, 'z', m);
  p[m] = 0;
  printf("%u %zu\n", sum(vla, n), strlen((char *)p));
  if (n == 3) printf("%d\n", numbers[2]);
  if (m == 9) printf("%d\n", numbers[n - 2]);
  free(p);
  free(numbers);
  return 0;
}
