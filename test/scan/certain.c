// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of what one line does with one pointer, the report tells what is certain to fail, and lists what may.
// RUN: %fathom scan --all %s --kinds out-of-bounds-read | FileCheck %s
int main(int argc, char **argv) {
  int a[8], last = 9;
  (void)argv;
  for (int i = 0; i < 8; i++) a[i] = i;
  return a[argc & 15] + a[last];
}
// CHECK: certain.c:[[#@LINE - 2]]:25: out-of-bounds-read: read of 4 bytes is outside
// CHECK: follows at {{.*}}certain.c:[[#@LINE - 3]]:10
// CHECK: 1 report
