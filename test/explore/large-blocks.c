// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=0
// The address space of very large blocks has few places: they are used again.
#include <stdlib.h>

int main(void) {
  for (int i = 0; i < 600; i++) {
    char *p = malloc(1ul << 31);
    if (!p) return 1;
    p[1ul << 30] = 1;
    free(p);
  }
  return 0;
}
