// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A write behind an array that does no harm in the native program, where other variables lie there, and that the fuzzed build, which keeps these in
// registers, does not survive.
#include <unistd.h>

static int at;

static long fill(int count) {
  long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
  char text[16];
  for (at = 0; at < count; at++) text[at] = 'A';
  a = b = c = d = e = f = g = h = text[0];
  return a + b + c + d + e + f + g + h;
}

int main(void) {
  unsigned char n = 0;
  if (read(0, &n, 1) != 1) return 1;
  return fill(n > 'm' ? 56 : n % 16) == 0;
}
