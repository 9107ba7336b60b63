/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <fathom.h>
#include <stdlib.h>

static int ratio(int a, int b) {
  if (b == 0) return 0;
  return a / b;
}

/* moved */

static int choose(int i) {
  int table[4] = {1, 2, 3, 4};
  return table[i];
}

int main(void) {
  int n = fathom_range(-3, 6, "n");
  int k = fathom_range(0, 3, "k");
  if (k == 0)
    return ratio(10, n);
  if (k == 1)
    return choose(n < 0 ? 0 : n);
  if (k == 2 && n == 5)
    abort();
  if (k == 3 && n == 6)
    return *(volatile int *)0;
  return 0;
}
