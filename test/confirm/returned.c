// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Analysers take `return p` of a freed pointer for a use of the memory. No path uses it there, but the report is not refuted: the caller may.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: clang-19 --analyze -w --analyzer-output sarif p.c -o p.sarif
// RUN: %fathom confirm p --reports p.sarif --no-cache | FileCheck %s
// CHECK: p.c:[[#@LINE+9]]:{{.*}}: open:
// CHECK-NEXT: shows it, but the line returns a pointer: whether the memory is used after that is open
// CHECK-NEXT: would settle it: a report of the place where the memory is used
// RUN: python3 %S/Inputs/report.py p.c use-after-free q.sarif FIELD
// RUN: %fathom confirm p --reports q.sarif --no-cache | FileCheck %s --check-prefix=OTHER
// OTHER: refuted: use-after-free: FIELD
#include <stdlib.h>
static char *gives(char *p) {
  free(p);
  return p;
}
static int field(int *p, int n) {
  if (n > 3) free(p); // FIELD: source
  if (n > 3) return 0;
  return *p; // FIELD
}
int main(int argc, char **argv) {
  char *p = malloc(16);
  int *q = malloc(sizeof *q);
  if (!p || !q) return 1;
  p = gives(p);
  p[3] = argv[0][0];
  *q = argc;
  return field(q, argc);
}
