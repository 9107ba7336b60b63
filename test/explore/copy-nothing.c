// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy, memmove and memset of no bytes use no memory: whatever the pointers are, no C library does anything, and AddressSanitizer says nothing. One
// byte through the same pointers is a defect.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g -O1 %s -o %t.dir/p && %fathom-cc -g -O1 -DLEAST=1 %s -o %t.dir/wrong && cd %t.dir
// RUN: %fathom explore p -o out --sym-args 3 3 1 | FileCheck %s --check-prefix=NONE
// NONE: bugs {{ *}}0
// RUN: %fathom explore p -o sized --memory symbolic-size=16 --sym-args 3 3 1 | FileCheck %s --check-prefix=NONE
// RUN: %fathom explore wrong -o wrong.out --all-bug-inputs --sym-args 3 3 1 > wrong.txt; FileCheck %s --check-prefix=ONE < wrong.txt
// ONE-DAG: null-dereference in main at {{.*}}copy-nothing.c
// ONE-DAG: out-of-bounds-read in main at {{.*}}copy-nothing.c
// ONE-DAG: use-after-free in main at {{.*}}copy-nothing.c
#include <string.h>
#include <stdlib.h>
#ifndef LEAST
#define LEAST 0
#endif
static char to[8], text[4] = "abc";
int main(int argc, char **argv) {
  // Pointers that are terms: null or right, gone or right, right or beyond the end.
  unsigned i = argv[1][0] & 15, more = argv[2][0] & 1;
  unsigned n = (i < 4 ? (4 - i) * more : 0) + LEAST * (i >= 4);
  char *block = malloc(4);
  if (!block) return 0;
  memset(block, 0, 4);
  char *none = i >= 4 ? 0 : text, *freed = i >= 4 ? block : text;
  switch (argv[3][0]) {
  case 'n': memcpy(to, none, n); break;
  case 'm': memmove(to, none, n); break;
  case 's': memset(none, 0, n); break;
  case 'b': memcpy(to, text + i, n); break;
  case 'f':
    free(block);
    memcpy(to, freed, n);
    return to[0];
  }
  free(block);
  return to[0];
}
