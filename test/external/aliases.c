// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=0,1,2 external_calls=2 external.queries=3 -- --sym-stdin 2 --external defer-strict --external-functions stpcpy,strchrnul
// RUN: %explore %s %t.group statuses=0,1,2 external_calls=2 external.queries=3 -- --sym-stdin 2 --external defer-strict --external-functions @string
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
//
// Functions that libc has under two names, stpcpy and __stpcpy, are external by the name that programs call them by. The question about an argument alone
// counts too: what it can be is decided by the results that are on the path.
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

int main(void) {
  char in[3] = {0}, out[8];
  read(0, in, 2);
  if (stpcpy(out, in) == out + 1) {
    if (in[0] == '!') return 1;
    return 0;
  }
  if (*strchrnul(in, 'q')) return 2;
  return 0;
}
