// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=0,1,2 ledger=0 -- --external-functions pow --external defer-strict --sym-stdin 2
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: exit status{{ +}}all {{[0-9]+}} agree
//
// libm's pow, whose code is a table and polynomials: executed, not interpreted.
#include <math.h>
#include <unistd.h>

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, 2);
  double square = pow(in[0], 2);
  if (square == 49)
    return 1;
  if (pow(square, 0.5) == 200) // the result of one is an argument of the other
    return 2;
  return 0;
}
