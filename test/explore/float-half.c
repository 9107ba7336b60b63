// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Every half: arithmetic, comparisons, conversions to and from integers and wider types.
enum { SIZE = 2, LIMIT = 256 };
#include "oracle.h"

static int program(const unsigned char *in) {
  unsigned short bits = (unsigned short)(in[0] << 8 | in[1]);
  _Float16 x;
  memcpy(&x, &bits, sizeof x);
  if (x != x) return 1;
  int r = 0;
  if (x * x > (_Float16)100) r |= 2;
  if ((_Float16)(x + (_Float16)0.1) == x) r |= 4;
  if ((float)x * 3.0f == 1.5f || (double)x == 1e-7) r |= 8;
  if (x > -100 && x < 100 && (int)x == 42) r |= 16;
  if ((_Float16)in[1] / x < (_Float16)0.5) r |= 32;
  return r;
}
