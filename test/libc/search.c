// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t --cc=-I%S/Inputs tests\>10
// Searching functions on exactly sized strings and blocks.
#define _GNU_SOURCE
#include "exact.h"
#include <strings.h>

int main(void) {
  switch (fathom_choose(18, "which")) {
  case 0: { char *a = text(3, "a"); int n = (int)strlen(a); free(a); return n; }
  case 1: { char *a = block(3, "a"); int n = (int)strnlen(a, 3); free(a); return n; }
  case 2: { char *a = text(3, "a"); int r = strchr(a, 'x') != NULL; free(a); return r; }
  case 3: { char *a = text(3, "a"); int r = strrchr(a, 'x') != NULL; free(a); return r; }
  case 4: { char *a = block(3, "a"); int r = memchr(a, 'x', 3) != NULL; free(a); return r; }
  case 5: { char *a = block(3, "a"); int r = memrchr(a, 'x', 3) != NULL; free(a); return r; }
  case 6: { char *a = text(3, "a"); int r = strstr(a, "xy") != NULL; free(a); return r; }
  case 7: { char *a = text(3, "a"), *b = text(1, "b"); int r = strstr(a, b) != NULL; free(a), free(b); return r; }
  case 8: { char *a = block(3, "a"); int r = memmem(a, 3, "xy", 2) != NULL; free(a); return r; }
  case 9: { char *a = text(2, "a"); int r = (int)strspn(a, "xyz"); free(a); return r; }
  case 10: { char *a = text(2, "a"); int r = (int)strcspn(a, "xyz"); free(a); return r; }
  case 11: { char *a = text(2, "a"); int r = strpbrk(a, "xyz") != NULL; free(a); return r; }
  case 12: { char *a = text(2, "a"); int r = *strchrnul(a, 'x') == 0; free(a); return r; }
  case 13: { char *a = text(2, "a"); int r = strcasestr(a, "Xy") != NULL; free(a); return r; }
  case 14: { char *a = text(2, "a"); int r = index(a, 'x') == rindex(a, 'x'); free(a); return r; }
  case 15: { char *a = text(3, "a"), *s, *t = strtok_r(a, ",", &s); int n = 0; while (t) n++, t = strtok_r(NULL, ",", &s); free(a); return n; }
  case 16: { char *a = text(3, "a"), *rest = a; int n = 0; while (strsep(&rest, ",")) n++; free(a); return n; }
  case 17: { char *a = block(2, "a"), *b = block(2, "b"); int r = bcmp(a, b, 2) == 0; free(a), free(b); return r; }
  }
  return 0;
}
