// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t
// Undefined operations on constants, which the front end computes: it makes them values without meaning.
#include <limits.h>
#include <unistd.h>
#ifdef FIXED
#define ZERO 1
#define WIDTH 31
#define LEAST (INT_MIN + 1)
#else
#define ZERO 0
#define WIDTH 40
#define LEAST INT_MIN
#endif

static int g;
static int quotient(void) {
  int x = 10 / ZERO; // BUG division-by-zero
  return x;
}
static unsigned rest(void) {
  return 10u % ZERO; // BUG division-by-zero
}
static int shifted(int c) {
  int x = c;
  if (1u << WIDTH) // BUG overshift
    x++;
  return x;
}
static int inTheMiddle(int c) {
  g = c / 3 + (int)(5u << WIDTH) + (c << 3); // BUG overshift
  return g;
}
static int least(void) {
  return LEAST / -1; // BUG signed-overflow
}
static int address(void) {
  static int table[16];
  return &table[10 / ZERO] != table; // BUG division-by-zero
}
// What is checked nowhere else stays as it is.
static int fine(int c) {
  int sum;
  if (__builtin_add_overflow(c, INT_MAX, &sum)) return 1;
  unsigned u = (unsigned)c;
  u = u << 4 | u >> 28;
  for (int i = 0; i < 3; i++) sum -= i;
  return (int)(u / 7) + -sum;
}

int main(void) {
  unsigned char in[2] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 'q': return quotient();
  case 'r': return (int)rest();
  case 's': return shifted(in[1]);
  case 'm': return inTheMiddle(in[1]);
  case 'l': return least();
  case 'a': return address();
  case 'o': return fine(in[1]);
  }
  return 0;
}
