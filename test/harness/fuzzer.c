// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=null-dereference tests\>4
// A fuzz target: its size is symbolic up to a bound, shorter inputs are tested too.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3)
    return 0;
  if (data[0] == 'F' && data[1] == 'U' && data[2] == 'Z')
    *(volatile int *)0 = 1;
  return 0;
}
