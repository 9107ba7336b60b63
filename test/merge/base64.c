// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Characters are decoded into a buffer until one is none of the alphabet.
// RUN: %merges %s %t
#include "Inputs/tell.h"

static int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c == '+') return 62;
  return -1;
}

int main(void) {
  char text[4];
  unsigned char out[4] = {0};
  fathom_symbolic(text, sizeof text, "text");
  unsigned n = 0;
  for (; n < sizeof text; n++) {
    int d = digit(text[n]);
    if (d < 0) break;
    out[n] = (unsigned char)d;
  }
  tell(n);
  if (n > 2 && out[1] == 62) puts("plus");
  if (n > 0 && out[0] == 25) puts("Z");
  return 0;
}
