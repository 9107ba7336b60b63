// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g -w %s -o %t.program
// RUN: %explore %t.program %t bugs=external-crash ledger=external-fault statuses=0,1 -- --external defer-strict --sym-stdin 1
// RUN: grep -q "inline assembly .*ud2.* crashed with signal 4" %t.out/ledger.json
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// CHECK: branch traces{{ +}}all {{[0-9]+}} agree
//
// Assembly that crashes is a bug, with the input for which it does; other inputs go on.
#include <unistd.h>

static int halved(int x) {
  __asm__ volatile("shrl $1, %0\n\tjnc 1f\n\tud2\n1:" : "+r"(x) : : "cc"); // not of odd numbers
  return x;
}

int main(void) {
  unsigned char c = 0;
  read(0, &c, 1);
  if (c < 100) return 0;
  if (c == 'q') return halved(c);
  if (c == 'r' && halved(c) == 57) return 1;
  return 0;
}
