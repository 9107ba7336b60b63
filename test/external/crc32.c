// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g -w %s -Wl,--unresolved-symbols=ignore-all -o %t.program
// RUN: %explore %t.program %t statuses=0,1,2 ledger=0 -- --load libz.so.1 --external defer-strict --sym-stdin 2
// RUN: gcc -w %s -o %t.native -l:libz.so.1
// RUN: %fathom replay %t.program %t.out --binary %t.native | FileCheck %s
// RUN: %fathom replay %t.program %t.out | FileCheck %s --check-prefixes=CHECK,TRACE
// TRACE: branch traces{{ +}}all {{[0-9]+}} agree
// CHECK: exit status{{ +}}all {{[0-9]+}} agree
//
// A library of the host without bitcode: branches need particular results of zlib's checksum, and the inputs give them natively.
#include <unistd.h>

unsigned long crc32(unsigned long crc, const unsigned char *buffer, unsigned size);

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, 2);
  if (crc32(0, in, 1) == 0x62d277af) // of "z"
    return 1;
  if ((crc32(0, in, 2) & 0x3f) == 0x2a) // every 64th input
    return 2;
  return 0;
}
