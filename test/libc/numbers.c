// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t --cc=-I%S/Inputs tests\>10
// Text to numbers and back, on exactly sized strings.
#include "exact.h"
#include <ctype.h>
#include <stdio.h>

int main(void) {
  char *a = text(2, "a"), *end;
  int r = 0;
  switch (fathom_choose(6, "which")) {
  case 0: r = atoi(a) > 9; break;
  case 1: r = strtol(a, &end, 16) == 0x1f; break;
  case 2: r = (int)strtoul(a, &end, 0) & 1; break;
  case 3: { long v = strtol(a, &end, 10); fathom_assert(v >= -9 && v <= 99 && end >= a && end <= a + 2); break; }
  case 4: r = toupper((unsigned char)a[0]) == 'A' && isdigit((unsigned char)a[1]); break;
  case 5: r = sscanf(a, "%d", &r) == 1; break;
  }
  free(a);
  return r;
}
