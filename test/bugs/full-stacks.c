// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=out-of-bounds-read:29,out-of-bounds-read:30,out-of-bounds-read:31
// More call stacks allocate (131,072) than are kept apart: bugs at different places are different bugs all the same.
#include <klee/klee.h>
#include <stdlib.h>

static int table[4];
static int count;
#define LEVEL(n, m)                                                                                \
  static void f##n(unsigned long way) {                                                            \
    if (way >> n & 1) {                                                                            \
      count++;                                                                                     \
      f##m(way);                                                                                   \
    } else {                                                                                       \
      f##m(way);                                                                                   \
    }                                                                                              \
  }
static void f17(unsigned long way) { free(malloc(way & 7)); }
LEVEL(16, 17) LEVEL(15, 16) LEVEL(14, 15) LEVEL(13, 14) LEVEL(12, 13) LEVEL(11, 12)
LEVEL(10, 11) LEVEL(9, 10) LEVEL(8, 9) LEVEL(7, 8) LEVEL(6, 7) LEVEL(5, 6)
LEVEL(4, 5) LEVEL(3, 4) LEVEL(2, 3) LEVEL(1, 2) LEVEL(0, 1)

int main(void) {
  unsigned char x, y, z;
  klee_make_symbolic(&x, 1, "x");
  klee_make_symbolic(&y, 1, "y");
  klee_make_symbolic(&z, 1, "z");
  for (unsigned long way = 0; way < 1ul << 17; way++) f0(way);
  int sum = table[x & 7];
  sum += table[y & 15];
  sum += table[z & 31];
  return sum;
}
