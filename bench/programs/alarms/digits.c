/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Digits of a number and their sum.
 */
#include "input.h"

#include "at.h"

int main(void) {
  int number = input(0, 9999), rest = number, used = 0, sum = 0;
  char text[5];
  do {
    text[AT(used, 5)] = (char)('0' + rest % 10);
    sum += rest % 10;
    rest /= 10;
    used++;
  } while (rest);
  text[AT(used, 5)] = 0;
  assert((number - sum) % 9 == 0);
  assert(sum <= 36);
  assert(sum <= 35);
  assert(used <= 4);
  assert(sum <= number);
  return 100 / used == 33;
}
