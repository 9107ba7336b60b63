// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All reports share one search from main, and each is asked about along the inputs that it found, before callers cost it any time.
// RUN: rm -rf %t.dir && mkdir -p %t.dir/seeds && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s null-dereference r.sarif NEAR FAR
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 1ms --shared-time 300ms > shared.txt 2>&1
// RUN: FileCheck %s < shared.txt
// CHECK: confirmed: null-dereference: NEAR
// CHECK-NEXT: feasible from main with an input, natively reproduced: signal SIGSEGV
// CHECK: null-dereference: FAR
// CHECK-NOT: feasible from main
// CHECK: 2 reports: 1 confirmed, 1 possible
// Without that search, there is no time to find it.
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 1ms --shared-time 0 > alone.txt 2>&1
// RUN: FileCheck %s --check-prefix=ALONE < alone.txt
// ALONE-NOT: feasible from main
// ALONE: 2 reports: 0 confirmed, 2 possible
// Inputs that the user knows are where it begins: here one that no solver finds in its time.
// RUN: printf 'seven77!' > seeds/magic
// RUN: %fathom confirm p --reports r.sarif --no-cache --callers-time 1ms --shared-time 300ms --seeds seeds > seeds.txt 2>&1
// RUN: FileCheck %s --check-prefix=SEEDS < seeds.txt
// SEEDS: confirmed: null-dereference: FAR
// SEEDS-NEXT: feasible from main with an input, natively reproduced: signal SIGSEGV
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom confirm p --reports r.sarif --seeds nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: --seeds: {{.*}}nowhere
#include <stdint.h>
#include <stdio.h>
static int values[2];
static int *lookup(int c) { return c >= 'a' && c <= 'b' ? &values[c - 'a'] : NULL; }
static int near(int c) {
  return *lookup(c); // NEAR
}
static int far(uint64_t mixed) {
  int *p = mixed == 0x57ae641042ee27d5u ? NULL : values;
  return *p; // FAR
}
static uint64_t mix(const unsigned char *text) {
  uint64_t out = 14695981039346656037u;
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 8; i++) out = (out ^ text[i]) * 1099511628211u ^ out >> 29;
  return out;
}
int main(void) {
  unsigned char text[8] = {0};
  if (fread(text, 1, sizeof text, stdin) < sizeof text) return near(text[0]);
  return far(mix(text));
}
