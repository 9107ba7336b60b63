// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %merges %s %t --patterns 1 -- --memory symbolic-size=8 --fail-allocations
// Rounds that differ in what they write and count, and not in where they go: one path for each length, not two for each letter.
#include "Inputs/tell.h"
#include <stdlib.h>

int main(void) {
  size_t n = fathom_size("n");
  fathom_assume(n >= 1 && n <= 4);
  char *text = malloc(n + 1);
  if (!text) return 1;
  fathom_symbolic(text, n, "text");
  text[n] = 0;
  unsigned changed = 0, marks = 0;
  for (char *p = text; *p; p++)
    if (*p >= 'A' && *p <= 'Z') {
      *p += 'a' - 'A';
      changed = 1;
    } else if (*p == '!') {
      marks += 2;
    }
  for (char *p = text; *p; p++)
    if (*p == 'Q') abort(); // there is none left
  tell(changed);
  tell(marks);
  free(text);
  return 0;
}
