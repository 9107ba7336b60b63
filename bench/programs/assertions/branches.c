/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Branches say something about numbers.
 */
#include "input.h"
int main(void) {
  int x = input(0, 30), y = input(0, 30), z;
  if (x < 10)
    z = 10 - x;
  else
    z = x - 9;
  assert(z > 0);
  assert(z <= 21);
  assert(z != 7);
  if (x > y) {
    assert(x != y);
    assert(y < 30);
    assert(x >= 1);
    assert(x - y <= 30);
    assert(x - y > 1);
  } else {
    assert(y >= x);
    assert(y - x >= 0);
    assert(x <= 29);
  }
  if (x == 12) assert(x * 2 == 24);
  if (x != 0 && y / 31 == 0) assert(x > 0);
  if (x > 20 || y > 20) assert(x + y > 20);
  return 0;
}
