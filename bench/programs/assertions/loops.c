/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops that count.
 */
#include "input.h"
int main(void) {
  int n = input(0, 50), i, sum = 0, steps = 0;
  for (i = 0; i < n; i++) sum += 2;
  assert(i == n);
  assert(i >= 0 && i <= 50);
  assert(sum >= 0);
  assert(sum % 2 == 0);
  assert(sum <= 100);
  assert(sum < 98);
  for (i = 0; i < 100; i += 5) {
    assert(i % 5 == 0);
    assert(i < 96);
    assert(i != 50);
    steps++;
  }
  assert(i == 100);
  assert(i < 105);
  assert(steps > 0);
  assert(steps == 20);
  i = n;
  while (i > 0) {
    assert(i <= 50);
    i--;
  }
  assert(i == 0);
  do i += 3;
  while (i < 20);
  assert(i == 21);
  assert(i >= 20 && i <= 22);
  assert(i % 3 == 0);
  return 0;
}
