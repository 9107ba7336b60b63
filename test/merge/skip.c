// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leading blanks are skipped, then a word is read, up to its end or the buffer's: two loops, of which the second begins where the first
// one ended.
// RUN: %merges %s %t --patterns 1
#include "Inputs/tell.h"
#include <string.h>

enum { kSize = 5 };

int main(void) {
  char text[kSize];
  fathom_symbolic(text, sizeof text, "text");
  unsigned from = 0;
  while (from < kSize && text[from] == ' ') from++;
  unsigned to = from;
  while (to < kSize && text[to] != ' ') to++;
  tell(from);
  tell(to);
  return 0;
}
