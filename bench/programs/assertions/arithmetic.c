/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Straight code on one number.
 */
#include "input.h"
int main(void) {
  int x = input(-8, 40);
  int twice = 2 * x, moved = x + 3, square = x * x;
  assert(twice >= -16 && twice <= 80);
  assert(moved > -6);
  assert(moved > -5);
  assert(twice % 2 == 0);
  assert(twice + 1 != 0);
  assert(twice != 14);
  assert(square >= 0);
  assert(square <= 1600);
  assert(x - x == 0);
  assert(moved - x == 3);
  assert((x + 100) / 7 >= 13);
  assert((x + 100) / 7 <= 19);
  assert(x < 40);
  return 0;
}
