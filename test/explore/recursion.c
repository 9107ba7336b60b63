// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %bruteforce %s %t
// Recursion over symbolic data: subset sums, greatest common divisor.
enum { SIZE = 4, LIMIT = 6 };
#define BYTES_BELOW
#include "oracle.h"

static int subset(const unsigned char *v, int n, int target) {
  if (target == 0)
    return 1;
  if (n == 0 || target < 0)
    return 0;
  return subset(v + 1, n - 1, target - v[0]) || subset(v + 1, n - 1, target);
}
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

static int program(const unsigned char *in) { return subset(in, 3, 7) * 40 + gcd(in[3] + 12, 8); }
