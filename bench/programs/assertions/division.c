/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Quotients and remainders.
 */
#include "input.h"
int main(void) {
  int x = input(0, 100), y = input(-20, -1), d = input(1, 5);
  assert(x % 10 < 10);
  assert(x % 10 >= 0);
  assert(x % 10 != 9);
  assert(x / 10 <= 10);
  assert(x / 10 * 10 <= x);
  assert(x / 10 * 10 + x % 10 == x);
  assert(y % 7 > -7);
  assert(y % 7 <= 0);
  assert(y % 7 < 0);
  assert(y / 2 <= 0);
  assert(y / 2 >= -10);
  assert(x / d <= 100);
  assert(x / d <= x);
  assert(x / d < 100);
  assert(x % d < 5);
  assert(x % d < d);
  if (x % 2 == 0) assert(x != 7);
  if (x % 2 == 1) assert(x % 2 != 0);
  return 0;
}
