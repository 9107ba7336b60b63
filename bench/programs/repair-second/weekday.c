/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The day of the week of a date, by Zeller's congruence.
 */
#include <stdio.h>

static int weekday(int year, int month, int day) {
  int century, sum;
  if (month < 3) {
    month = month + 12;
    year = year - 1;
  }
  century = year / 100;
  year = year % 100;
  sum = day + 13 * (month + 1) / 5;
  sum = sum + year + year / 4;
  sum = sum + century / 4 - 2 * century;
  sum = sum % 7;
  if (sum < 0) sum = sum + 7;
  return sum;
}
int main(void) {
  int year, month, day;
  if (scanf("%d %d %d", &year, &month, &day) != 3) return 1;
  if (year < 1600 || year > 2400 || month < 1 || month > 12 || day < 1 || day > 31) return 1;
  printf("day %d\n", weekday(year, month, day));
  return 0;
}
