/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Relations between variables.
 */
#include "input.h"
int main(void) {
  int n = input(0, 40), low = 0, high = n, i, j;
  while (low < high) {
    int middle = low + (high - low) / 2;
    assert(middle >= low);
    assert(middle < high);
    assert(middle < 40);
    if (input(0, 1))
      high = middle;
    else
      low = middle + 1;
    if (n > 4) break;
  }
  assert(low <= high);
  assert(low >= 0);
  assert(high <= n);
  for (i = 0, j = n; i < n; i++) {
    assert(i < j + 41);
    j--;
  }
  assert(i == n);
  int x = input(0, 10), y = x + 5, z = y - 2;
  assert(y > x);
  assert(z - x == 3);
  assert(z > y);
  int copy = x;
  if (copy > 7) assert(x > 7);
  if (y < 8) assert(x < 3);
  return 0;
}
