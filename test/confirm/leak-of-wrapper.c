// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two blocks of one wrapper of malloc: a report is about the one that its call returns. What the function returns is not lost, since its callers
// have it.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir && cp %s p.c && %fathom-cc -g p.c -o p
// RUN: %fathom scan --all p --kinds leak --no-cache --sarif r.sarif -q
// RUN: %fathom confirm p --reports r.sarif --callers-time 0 --no-cache | FileCheck %s
// RUN: %fathom explore p --entry never -o e1 -q && %fathom explore p --entry lost -o e2 -q
// RUN: ls e1/bugs | count 0
// RUN: ls e2/bugs | count 1
// RUN: cat e2/bugs/*/bug.json | FileCheck %s --check-prefix=LOST
#include <stdio.h>
#include <stdlib.h>
static unsigned long count;
static char *make(unsigned long size) {
  char *p = malloc(size);
  if (p) count += size;
  return p;
}
char *never(unsigned x) {
  char *kept = make(16), *u = NULL;
  if (!kept) return NULL;
  kept[0] = 0;
  if (x * x == 2) {
    u = make(4);
    if (u) kept[0] = u == kept;
  }
  return kept;
}
char *lost(unsigned x) {
  char *kept = make(16), *u = NULL;
  if (!kept) return NULL;
  kept[0] = 0;
  if (x * x == 9) {
    u = make(4);
    if (u) kept[0] = u == kept;
  }
  return kept;
}
// CHECK: p.c:[[#@LINE-2]]:{{.*}} possible: leak
// CHECK: p.c:[[#@LINE-13]]:{{.*}} refuted: leak
// LOST: "make"
// LOST: "lost"
// LOST-NOT: "main"
int main(int argc, char **argv) {
  char *a = never(argc), *b = lost(argc);
  if (a && b) printf("%d %d\n", a[0], b[0]);
  free(a);
  free(b);
  return 0;
}
