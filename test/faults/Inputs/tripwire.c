// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 256 paths. One of them prints "snap!", and so much behind it that a worker sends its test at once, also if it covers nothing new.
#include <fathom.h>
#include <stdio.h>

int main(void) {
  unsigned char in[8];
  fathom_bytes(in, sizeof in, "in");
  unsigned way = 0;
  for (int i = 0; i < 8; i++) {
    way *= 2;
    if (in[i] > 'm') way++;
  }
  switch (way) {
  case 0xa5: printf("snap!%40000d\n", 0); return 1;
  default: return 0;
  }
}
