// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Arithmetic, rounding and conversions of floats and doubles that depend on symbolic bytes.
enum { SIZE = 2, LIMIT = 256 };
#include "oracle.h"
#include <math.h>

static int program(const unsigned char *in) {
  double x = (signed char)in[0] * 0.37;
  float y = in[1] / 8.0f;
  int r = 0;
  if (__builtin_elementwise_fma(x, x, -5 * x) == y) r |= 1; // only at 0
  if (floor(x) + ceil(x) + trunc(x) == rint(y) * 3 - 1) r |= 2;
  if (sqrtf(y) == 1.5f || round(x) == -4) r |= 4;
  if ((signed char)(x * y) > (int)(unsigned char)(y + x) && (long)(x * 1e18) % 7 == 3) r |= 8;
  if (fmin(x, y) != (float)fmax(x * 2, y)) r |= 16;
  if ((float)(1 / x) > (unsigned)(y * y) || fabs(x - y) < 0.01) r |= 32;
  if ((int)rint(y * 2.5) == (int)round(-x)) r |= 64;
  return r;
}
