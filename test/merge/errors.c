// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States that end inside a loop, in errors and returns, are no part of what is merged behind it.
// RUN: %merges %s %t --patterns 1
#include "Inputs/tell.h"
#include <stdlib.h>

static int find(const char *s, unsigned n) {
  unsigned i = 0;
  while (i < n) {
    if (s[i] == '!') abort();
    if (s[i] == '/') return -1;
    if (s[i] == 0) break;
    i++;
  }
  return (int)i;
}

int main(void) {
  char text[5];
  fathom_symbolic(text, sizeof text, "text");
  int n = find(text, sizeof text);
  tell(n);
  return 0;
}
