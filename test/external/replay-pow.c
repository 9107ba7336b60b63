// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: clang-19 -shared -fPIC -fno-builtin %S/Inputs/odd.c -o %t.so
// RUN: %fathom-cc -g -w -fno-builtin %s -o %t.program
// RUN: llvm-extract -delete -func=pow %t.program.bc -o %t.without.bc
//
// The host's pow, for a program that has none; its libc has one, which replay does not take.
// RUN: %explore %t.without.bc %t.host statuses=1 -- --external defer-strict --sym-stdin 1 --load libm.so.6
// RUN: %fathom replay %t.without.bc %t.host.out | FileCheck %s
// The same with another pow: only that it is taken on replay, too, can explain the status.
// RUN: %explore %t.without.bc %t.other statuses=2 -- --external defer-strict --sym-stdin 1 --load %t.so
// RUN: %fathom replay %t.without.bc %t.other.out | FileCheck %s
// A program that has its own executes that, whatever the library has.
// RUN: %explore %t.program %t.own statuses=1 -- --external defer-strict --sym-stdin 1 --load %t.so --external-functions pow
// RUN: %fathom replay %t.program %t.own.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
// CHECK: exit status{{ +}}all {{[0-9]+}} agree
// CHECK: stdout{{ +}}all {{[0-9]+}} agree
#include <math.h>
#include <unistd.h>

int main(void) {
  unsigned char in = 0;
  read(0, &in, 1);
  double base = 5 + (in & 1);
  double raised = pow(base, 3);
  if (raised == 125)
    return 1;
  if (raised == 216)
    return 1;
  return 2;
}
