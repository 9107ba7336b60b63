// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leading blanks of a line, and what the program does behind them: one path for each number of blanks, or one for all with --merge pattern.
#include <fathom.h>
#include <stdio.h>

static unsigned span(const char *text, unsigned size) {
  unsigned n = 0;
  while (n < size && text[n] == ' ')
    n++;
  return n;
}

int main(void) {
  char text[64];
  fathom_symbolic(text, sizeof text, "text");
  unsigned blanks = span(text, sizeof text);
  puts(blanks > 8 ? "deep" : "shallow");
  return 0;
}
