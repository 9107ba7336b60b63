// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Signed overflow of 128-bit integers: sum, product, quotient, with symbolic operands.
#include <unistd.h>

typedef __int128 wide;
#define MAX ((wide)(~(unsigned __int128)0 >> 1))
#define MIN (-MAX - 1)

static wide sum(wide a, wide b) {
#ifdef FIXED
  if (a > MAX - b)
    return 0;
#endif
  return a + b; // BUG signed-overflow
}
static wide product(wide a) {
#ifdef FIXED
  if (a > 3)
    return 0;
#endif
  return a * (MAX / 4); // BUG signed-overflow
}
static wide quotient(wide b) {
#ifdef FIXED
  if (b == 0 || b == -1)
    return 0;
#endif
  return MIN / b; // BUG division-by-zero, signed-overflow
}

int main(void) {
  signed char in[4] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 's': return sum(MAX - 100, in[1] & 127) > 7;
  case 'p': return product(in[1] & 7) > 7;
  case 'q': return quotient(in[1]) > 7;
  }
  return 0;
}
