/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The digits of a number: how many, their sum, the number from behind.
 */
#include <stdio.h>

int main(void) {
  int n, base, count = 0, sum = 0, back = 0;
  if (scanf("%d %d", &n, &base) != 2) return 1;
  if (n < 0 || n > 9999 || base < 2 || base > 10) return 1;
  while (n > 0) {
    int digit = n % base;
    count = count + 1;
    sum = sum + digit;
    back = back * base + digit;
    n = n / base;
  }
  printf("%d digits, sum %d, back %d\n", count, sum, back);
  return 0;
}
