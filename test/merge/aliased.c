// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paths on which a pointer that a caller gave leads to different objects are not merged: what is written through it later differs.
// RUN: %fathom-cc -g -w %s -o %t
// RUN: %fathom explore %t -o %t.none --force --entry f --entry-memory lazy-aliased --jobs 1 | FileCheck %s
// RUN: %fathom explore %t -o %t.cfg --force --entry f --entry-memory lazy-aliased --merge cfg --merge-at f --jobs 1 | FileCheck %s
// CHECK: branch sides  4 of 4

volatile int sink;
int f(int *a, int *b) {
  *a = 1;
  for (int i = 0; i < 2; i++) *b += 1;
  *b = 7;
  if (*a == 7)
    sink = 1;
  else
    sink = 2;
  return 0;
}

int main(void) { return 0; }
