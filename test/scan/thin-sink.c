// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A defect in what a header defines names the function that it is for, as the reports of fathom explore do.
// RUN: %fathom scan --all %s --no-cache | FileCheck %s
// CHECK: small.h:1:{{[0-9]+}}: null-dereference: {{.*}} (for picks, {{.*}}thin-sink.c:{{[0-9]+}})
#include <stdlib.h>
struct cell {
  int value;
};
#line 1 "small.h"
static inline int value_of(const struct cell *c) { return c->value; }
#line 12 "thin-sink.c"
static int picks(int n) {
  struct cell *found = NULL;
  if (n > 2) found = malloc(sizeof *found);
  return value_of(found);
}
int main(int argc, char **argv) { return picks(argc); }
