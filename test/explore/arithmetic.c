// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Division, remainder, shifts and products of symbolic numbers, signed and unsigned, narrow and wide.
enum { SIZE = 2, LIMIT = 256 };
#include "oracle.h"

static int program(const unsigned char *in) {
  int x = (signed char)in[0], y = in[1];
  int r = 0;
  if (y && x / y == -3)
    r |= 1;
  if (y && x % y == 2)
    r |= 2;
  if (x < 0 && (x >> (y & 7)) == -2)
    r |= 4;
  if (((unsigned)y << (in[0] & 15)) > 5000)
    r |= 8;
  if ((long long)x * x * x == 1000LL * y)
    r |= 16;
  if ((__int128)x * y * ((__int128)1 << 70) < -((__int128)1 << 80))
    r |= 32;
  return r;
}
