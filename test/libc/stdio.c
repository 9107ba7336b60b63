// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t --cc=-I%S/Inputs tests\>10
// Formatted output into exactly sized buffers, reading lines from memory, symbolic contents.
#include "exact.h"
#include <stdio.h>

int main(void) {
  char *a = text(2, "a");
  int r = 0;
  switch (fathom_choose(6, "which")) {
  case 0: { char *to = room(4); r = snprintf(to, 4, "<%s", a); fathom_assert(r >= 1 && r <= 3 && to[r] == 0); free(to); break; }
  case 1: { char *to = room(2); r = snprintf(to, 2, "%s", a); fathom_assert(to[r < 1 ? r : 1] == 0); free(to); break; }
  case 2: { char *to = room(4); r = sprintf(to, "%d", (unsigned char)a[0]); fathom_assert(r >= 1 && r <= 3); free(to); break; }
  case 3: {
    FILE *f = fmemopen(a, 2, "r");
    char *line = room(3);
    r = fgets(line, 3, f) != NULL;
    fclose(f);
    free(line);
    break;
  }
  case 4: r = puts(a) >= 0; break;
  case 5: r = printf("%.1s|%c\n", a, a[0]); break;
  }
  free(a);
  return r & 0x7f;
}
