/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How many primes there are between two numbers, and the largest.
 */
#include <stdio.h>

static int isPrime(int n) {
  if (n < 2) return 0;
  for (int d = 2; d * d <= n; d++)
    if (n % d == 0) return 0;
  return 1;
}
int main(void) {
  int low, high, count = 0, largest = 0;
  if (scanf("%d %d", &low, &high) != 2) return 1;
  if (low < 0 || high < low || high > 300) return 1;
  for (int n = low; n <= high; n++)
    if (isPrime(n)) {
      count = count + 1;
      largest = n;
    }
  printf("%d, up to %d\n", count, largest);
  return 0;
}
