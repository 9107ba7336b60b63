// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A freed pointer that another object holds too: that the first one is cleared leaves the second as
// it is.
//
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds use-after-free,double-free | FileCheck %s
#include <stdlib.h>

struct holder {
  char *p;
};

int main(int argc, char **argv) {
  struct holder *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b) return 1;
  char *x = malloc(4);
  if (!x) return 1;
  x[0] = argv[0][0];
  a->p = x;
  b->p = x;
  free(a->p);
  a->p = NULL;
  // CHECK: second-holder.c:[[# @LINE + 1]]:{{[0-9]+}}: use-after-free
  int result = b->p[0];
  // The cleared one is not reported.
  // CHECK: 1 report: 1 use-after-free
  if (a->p) result += a->p[0];
  free(a);
  free(b);
  return result;
}
