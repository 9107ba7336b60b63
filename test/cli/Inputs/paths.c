// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 256 paths; nearly all cover nothing new.
#include <fathom.h>

int main(void) {
  unsigned char in[8];
  fathom_bytes(in, sizeof in, "in");
  unsigned sum = 0;
  for (int i = 0; i < 8; i++) {
    sum *= 2;
    if (in[i] > 'm') sum++;
  }
  return (int)(sum & 15);
}
