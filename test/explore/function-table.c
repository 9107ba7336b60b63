// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Calls through a table at a symbolic index: one path per function that can be meant.
enum { SIZE = 2, LIMIT = 4 };
#define BYTES_BELOW
#include "oracle.h"

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b + 10; }
static int mul(int a, int b) { return a * b; }
static int max(int a, int b) { return a > b ? a : b; }

static int program(const unsigned char *in) {
  int (*const table[])(int, int) = {add, sub, mul, max};
  return table[in[0]](in[1], 2);
}
