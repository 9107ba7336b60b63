// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t ledger=concretized-value statuses=0
// A symbolic allocation size is pinned, and the ledger says so; it is never silently one size.
#include <fathom.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  size_t size = fathom_size("size");
  fathom_assume(size >= 1 && size <= 100);
  char *p = malloc(size);
  if (!p)
    return 2;
  memset(p, 'a', size);
  int r = p[size - 1] == 'a' && size > 0 ? 0 : 1;
  free(p);
  return size == 1000 ? 77 : r;
}
