// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: replay
// RUN: %explore %s %t paths_completed=7 statuses=0,1,2,3
// RUN: %fathom replay %t.program %t.out --json | FileCheck %s
// CHECK: "exit_status": {
// CHECK: "differ": 0
// CHECK: "diverged": 0,
// A sum of floats goes through memory and over four additions; it is not associative.
#include <fathom.h>

int main(void) {
  float v[4], sum = 0;
  fathom_symbolic(v, sizeof v, "v");
  for (int i = 0; i < 4; i++) {
    if (!(v[i] > 0 & v[i] < 1e9f)) return 0;
    sum += v[i];
  }
  if (sum == v[0]) return 1; // the others are too small to count
  if (sum > 3e9f) return 2;
  return 3;
}
