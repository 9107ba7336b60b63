// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The abstract states of a loop: ranges, steps, relations.
// RUN: %fathom scan %s --print abstract:walk | FileCheck %s
// RUN: %fathom scan %s --print abstract:walk --domain intervals | FileCheck %s --check-prefix=INTERVALS
// RUN: not %fathom scan %s --print abstract:nothing 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %fathom scan %s --assertions --domain boxes 2>&1 | FileCheck %s --check-prefix=DOMAIN
// RUN: not %fathom scan %s --assertions --checks all 2>&1 | FileCheck %s --check-prefix=CHECKS
// RUN: %fathom scan %s --assertions --checks overflow,shift -v | FileCheck %s --check-prefix=MORE
// CHECK: function walk
// CHECK: block 1 (line [[#LOOP:]]):
// CHECK-NEXT: n in [0, 12]
// CHECK: i in [0, 12] step 2
// CHECK-NEXT: i <= n + 1
// CHECK: block 2
// CHECK-NEXT: n in [1, 12]
// CHECK: i in [0, 10] step 2
// CHECK-NEXT: i <= n - 1
// INTERVALS-NOT: i <= n
// NAME: --print abstract:nothing: the program has no function of its own with this name
// DOMAIN: --domain boxes: expected intervals, zones, octagons or product
// CHECKS: --checks all: expected shift or overflow
int walk(int n) {
  int sum = 0;
  for (int i = 0; i < n; i += 2) sum ^= i;
  // MORE: [[@LINE+1]]:{{[0-9]+}}: alarm: shift may be too far
  return sum << n * 4;
}
int main(int argc, char **argv) {
  if (argc < 0 || argc > 12) return 1;
  // MORE: [[@LINE+1]]:{{[0-9]+}}: proved: add of 32 bits does not overflow
  return walk(argc + 1 - 1);
}
