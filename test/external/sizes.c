// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t.strict statuses=0,1,2,3,4,9 ledger=solver-unknown -- --sym-arg 4 --external defer-strict --external-functions strlen,memcpy --solver-timeout 60s
// RUN: %fathom replay %t.strict.program %t.strict.out | FileCheck %s
// RUN: %explore %s %t.defer statuses=0,1,2,3,4,9 ledger=external-argument,solver-unknown -- --sym-arg 4 --external defer --external-functions strlen,memcpy --solver-timeout 60s
// CHECK: exit status{{ +}}all {{[0-9]+}} agree
//
// How much is allocated is what an external function said: every length is looked at, not that of one input alone.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  size_t n = strlen(argv[1]);
  char *copy = malloc(n + 1);
  memcpy(copy, argv[1], n + 1);
  int status = copy[0] == '?' && n == 4 ? 9 : (int)n;
  free(copy);
  return status;
}
