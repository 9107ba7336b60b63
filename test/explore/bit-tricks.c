// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Branches on bit arithmetic that needs a solver: parity, population, rotations, multiplications, carries.
enum { SIZE = 2, LIMIT = 256 };
#include "oracle.h"

static int program(const unsigned char *in) {
  unsigned x = in[0], y = in[1], r = 0;
  if ((x & (x - 1)) == 0)
    r |= 1;
  if (__builtin_popcount(x ^ y) == 4)
    r |= 2;
  if (((x << 3 | x >> 5) & 0xff) == y)
    r |= 4;
  if (x * y % 251 == 17)
    r |= 8;
  if ((unsigned char)(x + y) < x)
    r |= 16;
  if (__builtin_clz(x | 1) == __builtin_ctz(y | 256) + 24)
    r |= 32;
  return (int)r;
}
