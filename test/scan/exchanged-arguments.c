// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recursive call whose arguments read the parameters that they are passed to: all are read before any is passed.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan %t --assertions -v --no-cache 2>/dev/null | FileCheck %s
// RUN: %fathom scan %t --assertions -v --no-cache --call-depth 0 2>/dev/null | FileCheck %s
#include <assert.h>

static void turned(int n, int m, int deep) {
  if (deep) {
    turned(m, n, 0);
  } else {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: {{alarm|definite}}: assertion 'm != 30'
    assert(m != 30);
  }
}

static void moved(int a, int b, int c, int deep) {
  if (deep) {
    moved(b, c, a, 0);
  } else {
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: {{alarm|definite}}: assertion 'c != 1'
    assert(c != 1);
  }
}

int main(int argc, char **argv) {
  if (argc > 1)
    turned(30, 3, 1);
  else
    moved(1, 2, 3, 1);
  return 0;
}
