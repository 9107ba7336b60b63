// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g -w %s -o %t.program
// RUN: %explore %t.program %t.c "statuses=0" ledger=external-call paths_completed=1 -- --sym-stdin 2 --external concretize
// RUN: %explore %t.program %t.s "statuses=0" ledger=external-call paths_completed=1 -- --sym-stdin 2 --external concretize-strict
// RUN: %explore %t.program %t.d statuses=0,1 -- --sym-stdin 2 --external defer
// RUN: %explore %t.program %t.x statuses=0,1 -- --sym-stdin 2 --external defer-strict
//
// The modes of --external are those of assembly too.
#include <unistd.h>

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, 2);
  unsigned x = in[0], y = in[1];
  __asm__("imull %1, %0; clc; rcll $3, %0; rcrl $3, %0" : "+r"(x) : "r"(y) : "cc"); // rotations by three bits: it is not translated
  if (x == 143) return 1;
  return 0;
}
