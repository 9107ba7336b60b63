// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: replay
// RUN: %explore %s %t statuses=0,1,2,3 bugs=abort:17
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s
// CHECK: "exit_status": {
// CHECK: "differ": 0
// CHECK: "diverged": 0,
// CHECK: "verdict": "reproduced"
// The roots of a quadratic equation, and a bug between them.
#include <fathom.h>
#include <stdlib.h>

int main(void) {
  double x;
  fathom_symbolic(&x, sizeof x, "x");
  double y = x * x - 5 * x + 6;
  if (y < -0.24 && x != 2.5) abort();
  if (y == 0) {
    if (x < 2.5) return 1;
    return 2;
  }
  if (y < 0) return 3;
  return 0;
}
