// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Nested loops with symbolic bounds, continue and break.
enum { SIZE = 3, LIMIT = 5 };
#define BYTES_BELOW
#include "oracle.h"

static int program(const unsigned char *in) {
  int n = 0;
  for (int i = 0; i < in[0]; i++) {
    for (int j = i; j < in[1]; j++) {
      if (j == in[2])
        continue;
      n += i + j;
      if (n > 12)
        goto out;
    }
    if (i + 1 == in[2])
      break;
  }
out:
  return n;
}
