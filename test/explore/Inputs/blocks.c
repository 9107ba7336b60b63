// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>
#include <string.h>

int main(void) {
  for (int i = 0; i < 12; i++) {
    char *p = malloc(50 << 20);
    if (!p) return 2;
    memset(p, i, 50 << 20);
    if (p[5] != i) return 1;
  }
  return 0;
}
