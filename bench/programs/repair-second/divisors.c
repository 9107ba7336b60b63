/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The divisors of a number: how many, their sum, and whether it is more than the number.
 */
#include <stdio.h>

int main(void) {
  int n, count = 0, sum = 0, kind = 0;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 1 || n > 500) return 1;
  for (int d = 1; d < n; d++) {
    if (n % d == 0) {
      count = count + 1;
      sum = sum + d;
    }
  }
  if (sum == n) kind = 1;
  if (sum > n) kind = 2;
  printf("%d divisors, sum %d, kind %d\n", count, sum, kind);
  return 0;
}
