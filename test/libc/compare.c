// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t --cc=-I%S/Inputs tests\>10
// Comparing functions, on strings of different sizes.
#define _GNU_SOURCE
#include "exact.h"
#include <strings.h>

int main(void) {
  char *a = text(2, "a"), *b = text(1, "b");
  int r = 0;
  switch (fathom_choose(8, "which")) {
  case 0: r = strcmp(a, b) < 0; break;
  case 1: r = strncmp(a, b, 3) < 0; break;
  case 2: r = strcasecmp(a, b) < 0; break;
  case 3: r = strncasecmp(b, a, 2) < 0; break;
  case 4: r = memcmp(a, b, 2) < 0; break;
  case 5: r = strcoll(a, b) < 0; break;
  case 6: r = strverscmp(a, b) < 0; break;
  case 7: { char *to = room(3); r = (int)strxfrm(to, a, 3); free(to); break; }
  }
  free(a), free(b);
  return r;
}
