// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t --paths 17
// Switches with shared targets, ranges, fall-through, and one on a product: cases with the same target are one path.
enum { SIZE = 2, LIMIT = 256 };
#include "oracle.h"

static int program(const unsigned char *in) {
  int r = 0;
  switch (in[0]) {
  case 'a':
  case 'e':
  case 'i': r = 1; break;
  case '0' ... '9': r = 2; break;
  case 200: r = 3; /* fall through */
  case 201: r += 4; break;
  default: return 9;
  }
  switch (in[1] * 3) {
  case 30: return r + 10;
  case 31: return 99; // no multiple of three
  case 33: return r + 20;
  case 300: return r + 30;
  }
  return r + 40;
}
