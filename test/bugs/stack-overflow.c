// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --replay
// Recursion without an end for one input only.
#include <unistd.h>

static int collatz(unsigned n, int depth) { // BUG stack-overflow
  volatile char frame[512] = {(char)depth};
  if (n <= 1)
    return depth + frame[1];
#ifdef FIXED
  if (n == 5)
    return 0;
#endif
  if (n == 5)
    n = 5; // never gets anywhere
  else
    n = n % 2 ? 3 * n + 1 : n / 2;
  return collatz(n, depth + 1) + 0;
}
int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  if (in[0] < 3 || in[0] > 6)
    return 0;
  return collatz(in[0], 0) & 1;
}
