/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The number of a day in its year.
 */
#include <stdio.h>

int main(void) {
  int year, month, day, last, number = 0, leap = 0;
  if (scanf("%d %d %d", &year, &month, &day) != 3) return 1;
  if (year < 1 || year > 4000 || month < 1 || month > 12 || day < 1) return 1;
  if (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) leap = 1;
  for (int m = 1; m <= month; m++) {
    last = 31;
    if (m == 4 || m == 6 || m == 9 || m == 11) last = 30;
    if (m == 2) last = 28 + leap;
    if (m < month) number = number + last;
  }
  if (day > last) {
    printf("no such day\n");
    return 0;
  }
  printf("day %d of %d\n", number + day, 365 + leap);
  return 0;
}
