// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: clang-19 -shared -fPIC %S/Inputs/library.c -o %t.so
// RUN: %fathom-cc -g -w %s -Wl,--unresolved-symbols=ignore-all -o %t.program
// RUN: %explore %t.program %t statuses=0,1,2,3,4,5 ledger=0 -- --solver-timeout 60s --load %t.so --external defer-strict --sym-stdin 3
// RUN: %explore %t.program %t.described statuses=0,1,2,3,4,5 ledger=0 -- --solver-timeout 60s --load %t.so --external defer-strict --sym-stdin 3 --external-effects %S/Inputs/library.effects
// RUN: gcc -w %s %S/Inputs/library.c -o %t.native
// RUN: %fathom replay %t.program %t.out --binary %t.native | FileCheck %s
// RUN: %fathom replay %t.program %t.out | FileCheck %s --check-prefixes=CHECK,TRACE
// TRACE: branch traces{{ +}}all {{[0-9]+}} agree
// CHECK: exit status{{ +}}all {{[0-9]+}} agree
//
// Effects on memory that nobody described, and described ones: what is written, a pointer into an argument, and a list that is followed.
#include <unistd.h>

int shout(char *text, unsigned long size);
char *spot(char *text, unsigned long size, char c);
struct node {
  struct node *next;
  long value;
};
long total(const struct node *n);

int main(void) {
  char in[3] = {0};
  read(0, in, 3);
  if (in[0] == '+') {
    struct node last = {0, in[1]}, first = {&last, in[2]};
    if (total(&first) == 100)
      return 5;
    return 0;
  }
  int letters = shout(in, 3);
  if (letters == 1 && in[1] == 'Q')
    return 1;
  char *at = spot(in, 3, '!');
  if (!at)
    return 0;
  if (at == in)
    return 2;
  if (at == in + 2)
    return 4;
  return 3;
}
