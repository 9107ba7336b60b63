/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>

static int mended(int *p) {
  free(p);
  return *p;
}

static int stays(int *q) {
  free(q);
  return *q;
}

static int twice(int *p, int *q) {
  free(p);
  free(q);
  return *p;
}

int main(int argc, char **argv) {
  int sum = 0;
  if (argc > 1) sum += mended(malloc(sizeof(int)));
  if (argc > 2) sum += stays(malloc(sizeof(int)));
  if (argc > 3) sum += twice(malloc(sizeof(int)), malloc(sizeof(int)));
  return sum;
}
