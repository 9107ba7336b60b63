// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --replay
// Division and remainder by zero, signed and unsigned, at several widths.
#include <unistd.h>
#ifdef FIXED
#define SAFE(x) ((x) == 0 ? 1 : (x))
#else
#define SAFE(x) (x)
#endif

static int average(int sum, int count) {
  return sum / SAFE(count); // BUG division-by-zero
}
static unsigned bucket(unsigned hash, unsigned char size) {
  return hash % SAFE(size); // BUG division-by-zero
}
static long difference(long a, long b) {
  return 1000 / SAFE(a - b); // BUG division-by-zero
}
static short narrow(short a, short b) {
  return (short)(a % SAFE(b)); // BUG division-by-zero
}

int main(void) {
  unsigned char in[4] = {0};
  read(0, in, sizeof in);
  switch (in[0]) {
  case 0: return average(100, in[1]);
  case 1: return (int)bucket(12345, in[1]);
  case 2: return (int)difference(in[1], in[2] + 1);
  case 3: return narrow(in[1], (short)(in[2] << 8));
  }
  return 0;
}
