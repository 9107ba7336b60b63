// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Every kind of float, infinities, NaNs and denormals among them: the two bytes are its upper half.
enum { SIZE = 2, LIMIT = 256 };
#include "oracle.h"
#include <math.h>

static int program(const unsigned char *in) {
  unsigned bits = (unsigned)in[0] << 24 | (unsigned)in[1] << 16;
  float x;
  memcpy(&x, &bits, sizeof x);
  if (x != x) return x < 1 || x >= 1 ? 1 : isunordered(x, 1.0f) ? 2 : 3;
  if (x - x != 0) return x > 0 ? 4 : 5;
  if (x == 0) return 1 / x < 0 ? 6 : 7;
  if (__builtin_isnormal(x)) {
    if (x * 2 == x + x && x * 1e38f > 3e38f) return 8;
    if (x + 1 == 1) return x > 0 ? 9 : 10;
    return -x < 0 && islessgreater(x, 1.5f) ? 11 : 12;
  }
  double wide = x;
  return (float)(wide * 0.5) * 2 == x ? 13 : 14;
}
