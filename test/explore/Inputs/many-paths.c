// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 4096 paths, each with some work.
#include <fathom.h>
#ifndef WORK
#define WORK 200
#endif

int main(void) {
  unsigned char in[12];
  fathom_bytes(in, sizeof in, "in");
  unsigned long sum = 0;
  for (int i = 0; i < 12; i++) {
    sum *= 2;
    if (in[i] > 'm') sum++;
    for (int k = 0; k < WORK; k++) sum ^= (sum << 1 | 1) * (unsigned)(k & 1);
  }
  return (int)(sum & 15);
}
