/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Months until savings reach what is wanted, with a rate each month and interest each year.
 */
#include <stdio.h>

int main(void) {
  int wanted, rate, percent, saved = 0, months = 0, interest = 0;
  if (scanf("%d %d %d", &wanted, &rate, &percent) != 3) return 1;
  if (wanted < 1 || wanted > 2000 || rate < 10 || rate > 100 || percent < 0 || percent > 9)
    return 1;
  while (saved < wanted && months < 240) {
    saved = saved + rate;
    months = months + 1;
    if (months % 12 == 0) {
      interest = saved * percent / 100;
      saved = saved + interest;
    }
  }
  printf("%d months, %d saved, %d interest\n", months, saved, interest);
  return 0;
}
