// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Computed goto on symbolic code.
enum { SIZE = 3, LIMIT = 3 };
#define BYTES_BELOW
#include "oracle.h"

static int program(const unsigned char *in) {
  static const void *const table[] = {&&inc, &&twice, &&stop};
  int acc = 1, i = 0;
#define NEXT                                                                                                             \
  if (i == SIZE)                                                                                                         \
    goto stop;                                                                                                           \
  goto *table[in[i++]]
  NEXT;
inc:
  acc++;
  NEXT;
twice:
  acc *= 2;
  NEXT;
stop:
  return acc;
}
