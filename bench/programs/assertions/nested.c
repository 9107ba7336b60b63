/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops in loops, and ways out of them.
 */
#include "input.h"
int main(void) {
  int n = input(1, 9), m = input(1, 9), i, j, cells = 0, found = -1;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++) {
      assert(i < 9 && j < 9);
      assert(i < n);
      assert(j < m);
      cells++;
    }
  assert(i == n);
  assert(cells > 0);
  assert(cells < 81);
  for (i = 0; i < 10; i++) {
    for (j = i; j < 10; j++) assert(j >= i);
    if (i * i > 50) {
      found = i;
      break;
    }
  }
  assert(found <= 9);
  assert(found >= -1);
  assert(found == 8);
  assert(i < 10);
  for (;;) {
    if (n-- == 0) break;
    assert(n >= 0);
  }
  assert(n == -1);
  return 0;
}
