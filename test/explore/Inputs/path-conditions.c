// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions of all sorts: of bytes, words, a table's entries, floats, single bits, memory that was never written.
#include <fathom.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned char kTable[64] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};

int main(int argc, char **argv) {
  unsigned char in[2] = {0};
  int got = (int)read(0, in, sizeof in), ways = 0;
  if (argc > 1 && !strcmp(argv[1], "ab"))
    ways++;
  if (got == 2 && kTable[in[0] % 64] == 9)
    ways += 2;
  int signed_ = fathom_range(-100, 100, "signed");
  if (signed_ * signed_ % 7 == 2)
    ways += 4;
  float f = fathom_float("float");
  if (f > 0.5f && f * 3 < 2)
    ways += 8;
  unsigned char bits = (unsigned char)fathom_char("bits");
  if ((bits >> 3 & 1) != (bits & 1))
    ways += 16;
  char *p = malloc(1);
  if (*p == 'x') // BUG
    ways += 32;
  free(p);
  return ways == 31 ? 100 / (in[1] - 5) : ways;
}
