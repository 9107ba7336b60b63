// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Signed overflow: sum, difference, product, negation, increment, division of the smallest number; and what is none.
#include <limits.h>
#include <unistd.h>

static int sum(int a, int b) {
#ifdef FIXED
  if (a > INT_MAX - b)
    return 0;
#endif
  return a + b; // BUG signed-overflow
}
static int product(int a) {
#ifdef FIXED
  if (a > 46340)
    return 0;
#endif
  return a * a; // BUG signed-overflow
}
static long negate(long a) {
#ifdef FIXED
  if (a == LONG_MIN)
    return 0;
#endif
  return -a; // BUG signed-overflow
}
static int divide(int a, int b) {
#ifdef FIXED
  if (b == -1)
    return 0;
#endif
  return a / b; // BUG signed-overflow
}
static int fine(unsigned char a, short b) {
  unsigned wraps = UINT_MAX - 100 + a;
  signed char narrowed = (signed char)(a + b);
  unsigned short promoted = (unsigned short)(a - 300);
  return (int)(wraps >> 8) + narrowed + promoted;
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 's': return sum(INT_MAX - 100, in[1]) > 7;
  case 'p': return product((in[1] << 8) + in[2]) > 7;
  case 'n': return negate(in[1] == 'x' ? LONG_MIN : in[1]) > 7;
  case 'd': return divide(INT_MIN + (in[1] & 7), -1 - (in[2] & 1)) > 7;
  case 'f': return fine(in[1], (short)in[2]) > 7;
  }
  return 0;
}
