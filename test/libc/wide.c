// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t --cc=-I%S/Inputs tests\>5
// Wide strings and multibyte conversion on exactly sized buffers.
#include "exact.h"
#include <wchar.h>

int main(void) {
  switch (fathom_choose(4, "which")) {
  case 0: { wchar_t *w = room(3 * sizeof *w); fathom_symbolic(w, 2 * sizeof *w, "w"); w[2] = 0; int n = (int)wcslen(w); free(w); return n; }
  case 1: { wchar_t *w = room(2 * sizeof *w); fathom_symbolic(w, 2 * sizeof *w, "w"); int r = wmemchr(w, L'x', 2) != NULL; free(w); return r; }
  case 2: { char *a = text(2, "a"); wchar_t *w = room(3 * sizeof *w); size_t n = mbstowcs(w, a, 3); free(a), free(w); return n != (size_t)-1 ? (int)n : 9; }
  case 3: { wchar_t *w = room(2 * sizeof *w); fathom_symbolic(w, sizeof *w, "w"); w[1] = 0; wchar_t *c = wcsdup(w); int r = wcscmp(w, c); free(w), free(c); return r; }
  }
  return 0;
}
