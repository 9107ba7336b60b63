// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t --paths 24
// RUN: %bruteforce %s %t -- --search dfs
// RUN: %bruteforce %s %t -- --search bfs
// RUN: %bruteforce %s %t -- --search md2u
// A bubble sort of four bytes: a path per order that its comparisons tell apart.
enum { SIZE = 4, LIMIT = 8 };
#define BYTES_BELOW
#include "oracle.h"

static int program(const unsigned char *in) {
  unsigned char v[SIZE];
  memcpy(v, in, SIZE);
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j + 1 < SIZE - i; j++)
      if (v[j] > v[j + 1]) {
        unsigned char t = v[j];
        v[j] = v[j + 1], v[j + 1] = t;
      }
  return v[0] + 10 * v[3];
}
