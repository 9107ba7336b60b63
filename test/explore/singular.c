// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One of a thing is told in the singular.
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom explore %t -o %t-out --force | FileCheck %s
// CHECK: instructions {{.*}}, 1 fork{{$}}
// CHECK: solver        1 query, {{.*}} s
// CHECK: assumption: 1 failing allocation was not explored (--fail-allocations)
#include "klee/klee.h"

#include <stdlib.h>

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  free(malloc(4));
  if (x > 3) return 1;
  return 0;
}
