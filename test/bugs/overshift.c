// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Shifts by the width or more, and by negative amounts.
#include <unistd.h>

static unsigned left(unsigned n) {
#ifdef FIXED
  n &= 31;
#endif
  return 1u << n; // BUG overshift
}
static long right(int n) {
#ifdef FIXED
  if (n < 0 || n > 63)
    return 0;
#endif
  return 0x4000000000000000L >> n; // BUG overshift
}
static unsigned rotate(unsigned x, unsigned n) {
  n %= 33;
#ifdef FIXED
  n %= 32;
  if (n == 0)
    return x;
#endif
  unsigned high = x << n; // BUG overshift
  return high | x >> (32 - n) % 32;
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  if (in[0] == 'l')
    return (int)(left(in[1]) & 1);
  if (in[0] == 'r')
    return (int)(right((signed char)in[1]) & 1);
  if (in[0] == 'o')
    return (int)(rotate(in[2], in[1]) & 1);
  return 0;
}
