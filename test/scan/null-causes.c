// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer that is null for two reasons where it is used is one mistake, and one report.
//
// RUN: %fathom-cc -g -O1 -w -o %t %s
// RUN: %fathom scan %t --no-cache --allocation-failures | FileCheck %s
// CHECK: null-causes.c:[[# @LINE + 16]]:{{[0-9]+}}: null-dereference
// CHECK: the same from {{.*}}null-causes.c:
// CHECK: {{^}}1 report: 1 null-dereference
#include <stdlib.h>

struct table { int seed; int *rows; };

__attribute__((noinline)) static struct table *make(int n) {
  struct table *t = calloc(1, sizeof *t);
  if (t && n > 5) {
    t->rows = calloc(n, sizeof *t->rows);
    if (!t->rows) {
      free(t);
      t = NULL;
    }
  }
  t->seed = rand();
  return t;
}

int main(int argc, char **argv) {
  struct table *t = make(argc);
  int seed = t->seed;
  free(t->rows);
  free(t);
  return seed;
}
