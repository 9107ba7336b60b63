// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t --cc=-I%S/Inputs tests\>10
// Copying functions into exactly sized targets; the result is checked against its definition.
#define _GNU_SOURCE
#include "exact.h"
#include <strings.h>
#include <unistd.h>

int main(void) {
  char *a = text(2, "a"), *to = room(3);
  size_t n = 0;
  while (a[n])
    n++;
  switch (fathom_choose(14, "which")) {
  case 0: fathom_assert(strcpy(to, a) == to && to[n] == 0 && to[0] == a[0]); break;
  case 1: fathom_assert(stpcpy(to, a) == to + n); break;
  case 2: strncpy(to, a, 3); fathom_assert(to[2] == 0); break;
  case 3: fathom_assert(stpncpy(to, a, 3) == to + n); break;
  case 4: to[0] = 0; strcat(to, a); fathom_assert(to[n] == 0); break;
  case 5: to[0] = 0; strncat(to, a, 2); fathom_assert(to[n] == 0); break;
  case 6: fathom_assert(strlcpy(to, a, 3) == n); break;
  case 7: to[0] = 0; fathom_assert(strlcat(to, a, 3) == n); break;
  case 8: memcpy(to, a, 3); fathom_assert(to[0] == a[0] && to[2] == 0); break;
  case 9: memmove(a, a + 1, 2); fathom_assert(a[1] == 0); break;
  case 10: { char *d = strdup(a); fathom_assert(d[n] == 0); free(d); break; }
  case 11: { char *d = strndup(a, 1); fathom_assert(n == 0 ? d[0] == 0 : d[1] == 0); free(d); break; }
  case 12: { char *p = memccpy(to, a, 'x', 3); fathom_assert(!p || p[-1] == 'x'); break; }
  case 13: memset(to, a[0], 3), swab(a, to, 2), bzero(to, 3), explicit_bzero(to, 3); fathom_assert(to[2] == 0); break;
  }
  free(a), free(to);
  return (int)n;
}
