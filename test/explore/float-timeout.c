// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: replay
// RUN: %explore %s %t ledger=solver-timeout -- --solver-timeout 300ms
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s
// CHECK: "exit_status": {
// CHECK: "differ": 0
// CHECK: "diverged": 0,
// An equation that is out of reach: the path is dropped and said, not taken for infeasible, and nothing is pinned.
#include <fathom.h>

int main(void) {
  double x, y;
  fathom_symbolic(&x, sizeof x, "x");
  fathom_symbolic(&y, sizeof y, "y");
  if (x / y * x / (x + y) == 0.123456789 && x * y / (y - x) == 9.87654321) return 1;
  return 0;
}
