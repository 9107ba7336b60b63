// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=0,1,2 ledger=0 -- --external defer-strict --external-functions strtol --sym-stdin 1
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: exit status all {{[0-9]+}} agree
// RUN: %explore %s %t.defer statuses=0,1,2 -- --external defer --external-functions strtol --sym-stdin 1
// RUN: %explore %s %t.afl statuses=0,1,2 -- --external defer-strict --external-functions strtol --sym-stdin 1 --fuzz-solver afl
// RUN: clang-19 -shared -fPIC %S/Inputs/library.c -o %t.so
// RUN: %fathom-cc -g -w -DLIBRARY %s -Wl,--unresolved-symbols=ignore-all -o %t.library
// RUN: %explore %t.library %t.load statuses=0,1 -- --external defer-strict --load %t.so --sym-stdin 1
//
// errno is a result of an external function as others are, and what it was before the call stays where the function does not set it.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int refuse(int what);

int main(void) {
  char digits[] = "9223372036854775800", c;
  if (read(0, &c, 1) != 1) return 9;
#ifdef LIBRARY
  errno = ENOENT;
  if (refuse(c)) return errno == ENOENT ? 0 : 8;
  return errno == EDOM;
#else
  if (c < '0' || c > '9') return 0;
  digits[strlen(digits) - 1] = c;
  errno = 0;
  strtol(digits, 0, 10);
  if (errno == ERANGE) return 1; // 8 and 9
  if (errno) return 8;
  return 2;
#endif
}
