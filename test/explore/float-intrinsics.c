// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Operations that C has no name for, on signed zeros, infinities and NaNs too.
enum { SIZE = 2, LIMIT = 256 };
#include "oracle.h"

float minimum(float, float) __asm__("llvm.minimum.f32");
float maximum(float, float) __asm__("llvm.maximum.f32");
float least(float, float) __asm__("llvm.minnum.f32");
float greatest(float, float) __asm__("llvm.maxnum.f32");

static float number(unsigned bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}
static unsigned bitsOf(float f) {
  unsigned bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static int program(const unsigned char *in) {
  unsigned a = in[0], b = in[1];
  float x = number(a << 24 | (a & 1) << 23 | (a & 2) << 21); // 0x7f, 0xff: NaNs
  float y = number(b << 24 | (b & 1) << 23);                 // 0x7f, 0xff: infinities
  int r = 0;
  if (bitsOf(minimum(x, y)) == bitsOf(x)) r |= 1;
  if (bitsOf(maximum(y, x)) == bitsOf(x)) r |= 2;
  if (bitsOf(least(x, y)) == bitsOf(y)) r |= 4;
  if (bitsOf(greatest(y, x)) == bitsOf(y)) r |= 8;
  if (bitsOf(minimum(x - y, y)) == bitsOf(x - y)) r |= 16;
  if ((short)y == (unsigned short)x) r |= 32; // undefined for most: as the machine does it
  if ((long)y == (unsigned)x) r |= 64;
  return r;
}
