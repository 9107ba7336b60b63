// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=null-dereference,out-of-bounds-read tests\>4 ledger=bound-size -- --fuzz-size 40
// RUN: %explore %t.program %t bugs=null-dereference ledger=bound-size
// RUN: %fathom replay %t.program %t.out | FileCheck %s
// RUN: %fathom explore %t.program -o %t.long --force -q --fuzz-size 40
// RUN: %fathom replay %t.program %t.long | FileCheck %s
// RUN: %fathom explore %s -o %t.said --force | FileCheck %s --check-prefix=SAID
// SAID: x bound-size in main: inputs longer than
// CHECK: branch traces all {{[0-9]+}} agree
// CHECK: exit status   all {{[0-9]+}} agree
// A fuzz target: its size is symbolic up to a bound, shorter inputs are tested too. What needs more is not found, and the
// ledger says so.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3)
    return 0;
  if (data[0] == 'F' && data[1] == 'U' && data[2] == 'Z')
    *(volatile int *)0 = 1;
  if (size >= 39 && data[38] == 'x')
    return data[40];
  return 0;
}
