/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Halves of symbolic numbers, by counting up.
 */
#include "input.h"

int main(void) {
  for (int query = 0; query < QUERIES; query++) {
    int n = small(MOST), half = 0;
    while (2 * (half + 1) <= n) half++;
    assert(2 * half == n || 2 * half + 1 == n);
  }
  return 0;
}
