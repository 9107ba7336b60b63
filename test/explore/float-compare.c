// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: replay
// RUN: %explore %s %t paths_completed=8 statuses=0,1,2,3,4,5,6,7
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s
// CHECK: "exit_status": {
// CHECK: "differ": 0
// CHECK: "diverged": 0,
// A double held against constants, in all the ways that C has, also after arithmetic that needs all of its bits.
#include <fathom.h>
#include <math.h>

int main(void) {
  double x;
  fathom_symbolic(&x, sizeof x, "x");
  if (x < -1.5) return 1;
  if (x == 0.1) return 2;
  if (x + 0.1 == 0.3) return 3; // 0.19999999999999998
  if (x * 3.7 == 11.1) return 4;
  if (x >= 1e300) {
    if (isinf(x)) return 5;
    return 6;
  }
  if (!(x <= 1e300)) return 7; // NaN
  return 0;
}
