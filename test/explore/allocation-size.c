// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// A buffer for a number of items that the input gives: the allocation is for the largest size, each path uses its own.
enum { SIZE = 4, LIMIT = 4 };
#define BYTES_BELOW
#include "oracle.h"

static int program(const unsigned char *in) {
  int n = 0;
  while (n < SIZE - 1 && in[n])
    n++;
  unsigned char *copy = malloc((size_t)n + 1);
  copy[n] = 0;
  for (int i = 0; i < n; i++)
    copy[i] = (unsigned char)(in[i] + in[3]);
  int sum = 0;
  for (unsigned char *p = copy; *p; p++)
    if (*p > 2)
      sum += 10;
    else
      sum++;
  free(copy);
  return sum;
}
