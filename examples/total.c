/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Adds the numbers before the first negative one. It adds one number too many.
 */
#include <stdio.h>

int main(void) {
  int values[16] = {0}, n = 0, sum = 0;
  while (n < 15 && scanf("%d", &values[n]) == 1 && values[n] >= 0) n++;
  for (int i = 0; i <= n; i++) sum += values[i];
  printf("%d numbers, sum %d\n", n, sum);
  return 0;
}
