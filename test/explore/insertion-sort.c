// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Insertion sort: loops whose length depends on the data.
enum { SIZE = 4, LIMIT = 8 };
#define BYTES_BELOW
#include "oracle.h"

static int program(const unsigned char *in) {
  int v[SIZE];
  for (int i = 0; i < SIZE; i++) {
    int at = i;
    while (at > 0 && v[at - 1] > in[i])
      v[at] = v[at - 1], at--;
    v[at] = in[i];
  }
  return v[1] * 8 + v[2];
}
