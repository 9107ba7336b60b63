// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A generator that takes its seed from memory that was never written: reported once, and then 0, not
// dragged along in larger and larger terms.
// RUN: %explore %s %t paths_completed=1 bugs=uninitialized-read:19 ledger=concretized-value solver_seconds\<3 wall_seconds\<30
#include <stdlib.h>

int main(void) {
  static const unsigned char table[256] = {1, 2, 3};
  enum { Size = 512 };
  unsigned *m = malloc(Size * sizeof *m), a = 1, sum = 0;
  for (int round = 0; round < 20; round++)
    for (int i = 0; i < Size; i++) {
      a = (a ^ a << 13) + m[i];
      a ^= a >> 5;
      m[i] = a + m[(i + 8) % Size];
      a += m[i] * 2654435761u;
      if (i % 64 == 63) {
        unsigned at = a & 255;
        sum += table[at];
      }
    }
  free(m);
  return (int)(sum & 1);
}
