// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore --cc=-fsanitize=unsigned-integer-overflow,signed-integer-overflow --cc=-fsanitize-trap=all %s %t bugs=abort:16,abort:17,abort:18,signed-overflow:19 -- --sym-stdin 2
// RUN: grep -h message %t.out/bugs/*/bug.json | sort | FileCheck %s
// CHECK: trap 0: a sum that does not fit
// CHECK: trap 0: unsigned arithmetic that wraps around
// CHECK: trap 12: unsigned arithmetic that wraps around
// CHECK: trap 21: unsigned arithmetic that wraps around
// Traps of clang's check of unsigned overflow, which has the numbers of that of signed overflow.
#include <limits.h>
#include <unistd.h>
int main(void) {
  unsigned char in[2] = {0};
  read(0, in, 2);
  unsigned x = in[1];
  switch (in[0]) {
  case '+': return UINT_MAX - 100 + x > 7;
  case '-': return 100 - x > 7;
  case '*': return x * 0x2000000u > 7;
  case 's': return INT_MAX - 100 + (int)x > 7;
  }
  return 0;
}
