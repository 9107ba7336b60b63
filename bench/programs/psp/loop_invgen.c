/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop whose invariant proves the assertion: the counters together are never more than the bound.
 */
#include "input.h"

int main(void) {
  int n = small(MOST), step = 1 + small(1), i = 0, j = 0;
  while (i < n) {
    i += step;
    if (i > n) i = n;
    if (j < i) j++;
    assert(j <= i);
    assert(i <= n);
  }
  assert(i == n);
  assert(j <= n);
  return 0;
}
