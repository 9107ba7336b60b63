// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t tests=11 bugs=
// The number of tests of a loop over symbolic input is one per iteration that can be the last.
#include <klee/klee.h>

int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  klee_assume(n <= 10);
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += i;
  return (int)sum;
}
