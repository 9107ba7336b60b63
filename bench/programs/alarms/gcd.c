/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The greatest common divisor.
 */
#include "input.h"

#include "at.h"

int main(void) {
  int x = input(1, 100), y = input(1, 100), a = x, b = y, rounds = 0;
  while (b) {
    int rest = a % b;
    a = b;
    b = rest;
    rounds++;
    assert(rounds <= 10);
  }
  assert(x % a == 0);
  assert(y % a == 0);
  assert(a <= x && a <= y);
  assert(a != 47);
  assert(x / a * y <= 10000);
  return 0;
}
