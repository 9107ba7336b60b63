// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explore and replay count the same lines, also those of which no instruction is left when variables are registers; and such a
// line can be a target.
// RUN: rm -rf %t && mkdir %t && %fathom-cc -g %s -o %t/program
// RUN: %fathom explore %t/program --sym-stdin 2 -q -o %t/out
// RUN: %fathom replay %t/program %t/out -q
// RUN: grep -E '^(SF|DA):' %t/out/coverage/explore.info | sed 's/,[1-9].*/,covered/' > %t/explored
// RUN: grep -E '^(SF|DA):' %t/out/coverage/lcov.info | sed 's/,[1-9].*/,covered/' > %t/replayed
// RUN: diff %t/explored %t/replayed
// RUN: FileCheck %s --input-file %t/explored
// RUN: %fathom explore %t/program --sym-stdin 2 -q -o %t/target --search targets=same-lines.c:29
#include <unistd.h>

int main(void) {
  unsigned char byte = 0;
  // CHECK: DA:[[@LINE+1]],covered
  int kind = 0;
  int unused;
  if (read(0, &byte, 1) != 1)
    // CHECK: DA:[[@LINE+1]],0
    kind = 7;
  if (byte > 100 &&
      byte != 200) {
    // CHECK: DA:[[@LINE+1]],covered
    unused = 3;
  }
  if (byte == 5)
    // CHECK: DA:[[@LINE+1]],covered
    kind = 4;
  if (byte > 100 && byte < 50)
    // CHECK: DA:[[@LINE+1]],0
    unused = 8;
  return kind;
}
