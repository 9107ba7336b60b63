// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The intrinsics natively: objects come from the test that FATHOM_REPLAY_KTEST names, by name and in order; without
// a test they are 0; a false assumption ends the program quietly; a failed assertion is an abort.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %fathom-cc %s -o program
// RUN: python3 %S/Inputs/make-ktest.py test.ktest A-data 0000 x 07000000 y 09000000 x_1 2a000000
// RUN: env FATHOM_REPLAY_KTEST=test.ktest ./program | FileCheck %s --check-prefix=TEST
// TEST: 7 9 42
// RUN: ./program | FileCheck %s --check-prefix=NONE
// NONE: 0 0 0
// RUN: python3 %S/Inputs/make-ktest.py odd.ktest x ff000000
// RUN: env FATHOM_REPLAY_KTEST=odd.ktest ./program | count 0
// RUN: python3 %S/Inputs/make-ktest.py bad.ktest x 05000000
// RUN: env FATHOM_REPLAY_KTEST=bad.ktest not --crash ./program 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: Assertion failed: x != 5 ({{.*}}replay.c: main: [[#]])
// RUN: echo rubbish > rubbish && env FATHOM_REPLAY_KTEST=rubbish not ./program 2>&1 | FileCheck %s --check-prefix=RUBBISH
// RUBBISH: not a test in ktest format: rubbish
#include <assert.h>
#include <fathom/abi.h>
#include <stdio.h>

int main(void) {
  int x, y, again;
  __fathom_make_symbolic(&x, sizeof x, "x");
  __fathom_make_symbolic(&y, sizeof y, "y");
  __fathom_make_symbolic(&again, sizeof again, "x");
  __fathom_assume(x < 100);
  assert(x != 5);
  printf("%d %d %d\n", x, y, again);
  return 0;
}
