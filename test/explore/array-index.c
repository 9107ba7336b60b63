// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Symbolic indices into arrays, read and written: no fork of their own, the branches on what is read fork.
enum { SIZE = 3, LIMIT = 6 };
#define BYTES_BELOW
#include "oracle.h"

static int program(const unsigned char *in) {
  static const unsigned char next[] = {3, 5, 1, 0, 2, 4};
  unsigned char v[6] = {0, 1, 2, 3, 4, 5};
  int table[6] = {7, 7, 9, 9, 7, 1};
  v[in[0]] = 9;
  v[in[1]] += 2;
  table[next[in[2]]] -= 2;
  int r = 0;
  if (v[in[2]] > 5)
    r += 1;
  if (table[in[0]] == 7)
    r += 2;
  if (next[next[in[1]]] == in[0])
    r += 4;
  return r + v[in[1]] * 8;
}
