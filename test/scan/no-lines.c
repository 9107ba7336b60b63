// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without debug lines, reports are told apart by their statements.
// RUN: clang-19 -O0 -Xclang -disable-O0-optnone -emit-llvm -c %s -o %t.bc
// RUN: %fathom scan %t.bc --no-cache --kinds null-dereference 2> /dev/null | FileCheck %s
// CHECK-DAG: in first: null-dereference
// CHECK-DAG: in second: null-dereference
// CHECK: 2 reports: 2 null-dereference
#include <stdlib.h>
static int first(int n) {
  int *p = n > 1 ? &n : NULL;
  return *p;
}
static int second(int n) {
  int *p = n > 2 ? &n : NULL;
  return *p + 1;
}
int main(int argc, char **argv) {
  (void)argv;
  return first(argc) + second(argc);
}
