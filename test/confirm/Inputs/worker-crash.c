// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>

struct item { int value; };

static int brittle(struct item *item) { return item->value; }
static int sturdy(struct item *item) { return item->value + 1; }

int main(int argc, char **argv) {
  struct item *one = argc > 1 ? malloc(sizeof *one) : NULL;
  if (argc > 2) return sturdy(argc > 3 ? one : NULL);
  return brittle(one) + (argv[0] == NULL);
}
