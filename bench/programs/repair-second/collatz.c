/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How many steps a number takes to 1 by Collatz's rule, and the highest number on its way.
 */
#include <stdio.h>

int main(void) {
  int n, steps = 0, highest;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 1 || n > 100) return 1;
  highest = n;
  while (n > 1 && steps < 200) {
    if (n % 2 == 0)
      n = n / 2;
    else
      n = 3 * n + 1;
    if (n > highest) highest = n;
    steps = steps + 1;
  }
  printf("%d steps, up to %d\n", steps, highest);
  return 0;
}
