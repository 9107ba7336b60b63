/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What parking costs: a free time, then by the hour begun, with a limit a day.
 */
#include <stdio.h>

int main(void) {
  int minutes, freeTime, hourly, limit, hours, days, price = 0, rest;
  if (scanf("%d %d %d %d", &minutes, &freeTime, &hourly, &limit) != 4) return 1;
  if (minutes < 0 || minutes > 4000 || freeTime < 0 || freeTime > 60) return 1;
  if (hourly < 1 || hourly > 9 || limit < hourly || limit > 60) return 1;
  days = minutes / 1440;
  rest = minutes % 1440;
  if (minutes > freeTime) {
    hours = (rest + 59) / 60;
    price = hours * hourly;
    if (price > limit) price = limit;
    price = price + days * limit;
  }
  printf("%d for %d days and %d minutes\n", price, days, rest);
  return 0;
}
