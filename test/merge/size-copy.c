// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %merges %s %t --patterns 2 -- --memory symbolic-size=8 --fail-allocations
// A block that is allocated in a size that a merged loop found, filled by a copy of that size, and read beyond its end.
#include "Inputs/tell.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  size_t n = fathom_size("n");
  fathom_assume(n >= 1 && n <= 5);
  char *text = malloc(n);
  if (!text) return 1;
  fathom_symbolic(text, n, "text");
  size_t spaces = 0;
  while (spaces < n && text[spaces] == ' ') spaces++;
  char *copy = malloc(spaces + 1);
  if (!copy) return free(text), 1;
  memcpy(copy, text, spaces);
  copy[spaces] = 0;
  if (spaces > 3 && copy[2] != ' ') abort();
  char last = n > 4 ? copy[4] : 0; // there only if all are spaces
  free(copy);
  free(text);
  tell((unsigned)spaces);
  return last == 1;
}
