// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A symbolic environment variable: not set, or any value; the tests set it natively.
// RUN: %fathom-cc -g %s -o %t
// RUN: %explore %t %t.e statuses=0,1,2,3 -- --sym-env MODE 4
// RUN: %fathom replay %t %t.e.out | FileCheck %s
// CHECK: all {{[0-9]+}} agree
// CHECK: exit status all
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *mode = getenv("MODE");
  if (getenv("MODES")) return 9;
  if (!mode) return 1;
  if (!strcmp(mode, "fast")) return 2;
  if (!*mode) return 3;
  return 0;
}
