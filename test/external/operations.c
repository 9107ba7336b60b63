// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=0,1,2 ledger=0 -- --sym-stdin 3 --external defer-strict --external-ops nonlinear,fp,vector --solver-timeout 60s
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
// RUN: FileCheck %s --check-prefix=STATS <%t.out/stats.json
// STATS: "external": {
// STATS: "queries": {{[1-9]}}
//
// Operations of the program as external ones: no query has a product or a floating-point operation.
#include <unistd.h>

int main(void) {
  unsigned char in[3] = {0};
  read(0, in, 3);
  if (in[0] * in[1] % 7 == 3) // a product of unknowns
    return 1;
  double third = in[2] / 3.0;
  if (third > 80 && third < 81)
    return 2;
  return 0;
}
