/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums that stay the same.
 */
#include "input.h"
int main(void) {
  int n = input(0, 30), i = 0, j = n, a = 0, b = 0;
  while (i < n) {
    i++;
    j--;
    assert(i + j == n);
  }
  assert(j == 0);
  assert(i - j == n);
  for (int k = 0; k < n; k++) {
    if (input(0, 1) && n < 3)
      a++;
    else
      b++;
    if (n >= 3) break;
  }
  assert(a >= 0 && b >= 0);
  assert(a <= n);
  assert(a + b <= n);
  assert(b > 0);
  return 0;
}
