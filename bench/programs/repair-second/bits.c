/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The ones of a number in base two: how many, the highest, the longest run.
 */
#include <stdio.h>

int main(void) {
  int n, ones = 0, length = 0, run = 0, longest = 0;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 0 || n > 9999) return 1;
  while (n > 0) {
    int bit = n % 2;
    if (bit == 1) {
      ones = ones + 1;
      run = run + 1;
    } else {
      run = 0;
    }
    if (run > longest) longest = run;
    length = length + 1;
    n = n / 2;
  }
  printf("%d of %d, run of %d\n", ones, length, longest);
  return 0;
}
