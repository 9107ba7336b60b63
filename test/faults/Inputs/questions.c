// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64 ways; each ends in a question that only Z3 answers, and has two sides: 128 paths. On one of the
// ways it is another question than on the others: the constant 0x7ea5e5 occurs in no other.
#include <fathom.h>

int main(void) {
  unsigned char in[6];
  fathom_bytes(in, sizeof in, "in");
  unsigned long a = fathom_uint64("a"), b = fathom_uint64("b");
  unsigned way = 0;
  for (int i = 0; i < 6; i++) {
    way *= 2;
    if (in[i] > 'm') way++;
  }
  unsigned long sum = (a ^ (b >> 7)) + (b ^ (a << 5));
  if (way == 42) {
    if (sum == 0x7ea5e5) return 1;
  } else {
    if (sum == 0x123456) return 1;
  }
  return 0;
}
