/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The day of the year.
 */
#include "input.h"

#include "at.h"

static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
int main(void) {
  int month = input(0, 15), day = input(0, 40);
  if (month < 1 || month > 12) return 1;
  int last = days[AT(month - 1, 12)];
  if (day < 1 || day > last) return 2;
  int number = before[AT(month - 1, 12)] + day;
  assert(number >= 1);
  assert(number <= 365);
  assert(number <= 31 * month);
  assert(number >= 28 * (month - 1));
  assert(number != 200);
  return 0;
}
