// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is behind a setjmp runs again with each longjmp, though it is called in one place: an earlier run may have been at the source.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: python3 %S/Inputs/report.py p.c use-after-free p.sarif TWICE
// RUN: %fathom confirm p --reports p.sarif --no-cache | FileCheck %s
// CHECK: use-after-free: TWICE
// CHECK: 0 refuted
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf again;
static char *block;
static int rounds;
__attribute__((noinline)) static int once(void) {
  if (rounds == 2) return block[0]; // TWICE
  free(block); // TWICE: source
  return 0;
}
int main(void) {
  block = malloc(4);
  if (!block) return 1;
  setjmp(again);
  rounds++;
  int out = once();
  if (rounds < 2) longjmp(again, 1);
  return out;
}
