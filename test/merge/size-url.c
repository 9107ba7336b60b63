// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %merges %s %t --patterns 5 -- --memory symbolic-size=8 --fail-allocations
// Loops over a buffer of symbolic size, one after the other: each goes on from where the counters of those before have led.
#include "Inputs/tell.h"
#include <stdlib.h>

int main(void) {
  size_t n = fathom_size("n");
  fathom_assume(n >= 1 && n <= 6);
  char *text = malloc(n);
  if (!text) return 1;
  fathom_symbolic(text, n, "text");
  size_t i = 0;
  while (i < n && text[i] >= 'a' && text[i] <= 'z') i++;
  size_t scheme = i;
  if (i + 1 < n && text[i] == ':') {
    i++;
    while (i < n && text[i] != '/') i++;
  }
  size_t host = i;
  free(text);
  tell((unsigned)scheme);
  tell((unsigned)host);
  return 0;
}
