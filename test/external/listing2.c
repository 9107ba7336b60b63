// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: clang-19 -shared -fPIC %S/Inputs/library.c -o %t.so
// RUN: %fathom-cc -g -w %s -Wl,--unresolved-symbols=ignore-all -o %t.program
// RUN: %explore %t.program %t.strict paths_completed=3 statuses=0,1,3 -- --solver-timeout 60s --sym-stdin 2 --load %t.so --external defer-strict
// RUN: %explore %t.program %t.defer paths_completed=3 statuses=0,1,3 -- --solver-timeout 60s --sym-stdin 2 --load %t.so --external defer
// RUN: %explore %t.program %t.half paths_completed=3 statuses=0,1,3 -- --solver-timeout 60s --sym-stdin 2 --load %t.so --external defer --defer-bias 0.5
// RUN: %explore %t.program %t.jobs paths_completed=3 statuses=0,1,3 -- --solver-timeout 60s --sym-stdin 2 --load %t.so --external defer-strict --jobs 2
// RUN: %explore %t.program %t.pinned paths_completed=1 ledger=external-call -- --solver-timeout 60s --sym-stdin 2 --load %t.so --external concretize-strict
// RUN: gcc -w %s %S/Inputs/library.c -o %t.native
// RUN: %fathom replay %t.program %t.strict.out --binary %t.native | FileCheck %s
// RUN: %fathom replay %t.program %t.strict.out | FileCheck %s --check-prefixes=CHECK,TRACE
// TRACE: branch traces{{ +}}all {{[0-9]+}} agree
// CHECK: exit status{{ +}}all {{[0-9]+}} agree
//
// Listing 2 of the same paper: one result is another one's argument, and decides two branches. Of the four combinations one is
// infeasible.
#include <unistd.h>

int extop2(int), extop(int, int);

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, 2);
  int y = extop2(in[0]);
  int x = extop(y, in[1]);
  int status = 0;
  if (x > 42)
    status |= 1;
  if (x > 84)
    status |= 2;
  return status;
}
