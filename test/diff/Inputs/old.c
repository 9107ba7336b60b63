/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <fathom.h>
#include <stdlib.h>

static int ratio(int a, int b) {
  return a / b;
}

static int pick(int i) {
  int table[4] = {1, 2, 3, 4};
  return table[i];
}

int main(void) {
  int n = fathom_range(-3, 6, "n");
  int k = fathom_range(0, 3, "k");
  if (k == 0)
    return ratio(10, n);
  if (k == 1)
    return pick(n < 0 ? 0 : n);
  if (k == 2 && n == 5)
    abort();
  return 0;
}
