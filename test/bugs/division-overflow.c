// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// The smallest number divided by -1 where the divisor may be zero as well: two bugs of one division. And its absolute value.
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

static int quotient(int a, int b) {
#ifdef FIXED
  if (b == 0 || (a == INT_MIN && b == -1))
    return 0;
#endif
  return a / b; // BUG division-by-zero, signed-overflow
}
static long rest(long b) {
#ifdef FIXED
  if (b == 0 || b == -1)
    return 0;
#endif
  return LONG_MIN % b; // BUG division-by-zero, signed-overflow
}
static int magnitude(int a) {
#ifdef FIXED
  if (a == INT_MIN)
    return 0;
#endif
  return abs(a); // BUG signed-overflow
}
static int fine(int a, int b) { return b > 0 ? a / b : 0; }

int main(void) {
  signed char in[4] = {0};
  read(0, in, sizeof in);
  int a = in[1] == 'x' ? INT_MIN : in[1];
  switch (in[0]) {
  case 'q': return quotient(a, in[2]) == 7;
  case 'r': return rest(in[2]) == 7;
  case 'a': return magnitude(a) == 7;
  case 'f': return fine(a, in[2]) == 7;
  }
  return 0;
}
