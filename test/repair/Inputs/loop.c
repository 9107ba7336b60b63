/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A logarithm that never comes to an end for 0.
 */
#include <stdio.h>

int main(void) {
  unsigned n, k = 0;
  if (scanf("%u", &n) != 1) return 1;
  while (n != 1) {
    n = n / 2;
    k++;
  }
  printf("%u\n", k);
}
