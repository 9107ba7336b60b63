// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable's address is freed, and the variable is used and freed again in another function.
//
// RUN: %fathom-cc -g -O1 -o %t %s
// RUN: %fathom scan %t --no-cache | FileCheck %s
#include <stdlib.h>
struct box {
  int *value;
};
int use(struct box *a, struct box *b) {
  // CHECK-DAG: freed-variable.c:[[# @LINE + 1]]:{{[0-9]+}}: invalid-free: what is freed was not allocated
  free(a->value);
  // CHECK-DAG: freed-variable.c:[[# @LINE + 1]]:{{[0-9]+}}: use-after-free: freed memory is used
  return *b->value;
}
int main(int argc, char **argv) {
  struct box a = {&argc};
  return use(&a, &a) + use(&a, &a);
}
