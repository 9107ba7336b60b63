// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// && || ?: and comparisons of pointers into one array.
enum { SIZE = 3, LIMIT = 7 };
#define BYTES_BELOW
#include "oracle.h"

static int program(const unsigned char *in) {
  int a = in[0], b = in[1], c = in[2];
  const unsigned char *p = in + (a > b), *q = in + (c > b);
  int r = (a < b && b < c) || (a > 5 && !(b == c)) ? 1 : a == c ? 2 : 3;
  if (p < q)
    r += 10;
  else if (p == q && (*p ^ *q) == 0 && (a | b) > 4)
    r += 20;
  return !r || (r > 20 ? b > 2 : c > 2) ? r + 30 : r;
}
