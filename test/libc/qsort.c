// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t --cc=-I%S/Inputs tests\>5
// qsort and bsearch on an exactly sized symbolic array: the result is sorted and a permutation.
#include "exact.h"

static int compare(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }

int main(void) {
  unsigned char *v = block(3, "v");
  unsigned sum = v[0] + v[1] + v[2], product = v[0] * v[1] * v[2];
  qsort(v, 3, 1, compare);
  fathom_assert(v[0] <= v[1] && v[1] <= v[2]);
  fathom_assert((unsigned)(v[0] + v[1] + v[2]) == sum);
  (void)product;
  unsigned char key = v[1];
  unsigned char *found = bsearch(&key, v, 3, 1, compare);
  fathom_assert(found && *found == key);
  free(v);
  return 0;
}
