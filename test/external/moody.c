// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: clang-19 -shared -fPIC %S/Inputs/library.c -o %t.so
// RUN: %fathom-cc -g -w %s -Wl,--unresolved-symbols=ignore-all -o %t.program
// RUN: %explore %t.program %t bugs=external-crash ledger=external-fault statuses=0,1,2 external_calls\>0 -- --sym-stdin 1 --load %t.so --external defer-strict
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
// CHECK: exit status{{ +}}all {{[0-9]+}} agree
// CHECK: 1 of 1 reproduce
//
// The same function on a symbolic argument: a crash for some inputs is a bug, and the path goes on for the others.
#include <unistd.h>

int moody(int mood, char *where);

int main(void) {
  char where[4] = {0};
  unsigned char in = 0;
  read(0, &in, 1);
  int mood = in ^ 7; // the first witness is 0, and crashes it
  int next = moody(mood, where);
  if (where[0] != (char)mood)
    return 9;
  if (next == 14)
    return 1;
  if (next == 15)
    return 2;
  return 0;
}
