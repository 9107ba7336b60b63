/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fibonacci numbers up to symbolic bounds.
 */
#include "input.h"

int main(void) {
  for (int query = 0; query < QUERIES; query++) {
    int n = number() & 0x1ffff, a = 0, b = 1;
    while (b <= n) {
      int next = a + b;
      a = b;
      b = next;
    }
    assert(a <= n || n == 0);
    assert(n < b);
  }
  return 0;
}
