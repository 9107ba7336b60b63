/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two assertions and a division: one fails for an input that a campaign finds at once, one never
 * fails, one is never reached.
 */
#include <assert.h>
#include <stdio.h>

static int square(int x) { return x * x; }

int main(void) {
  int a = getchar(), b = getchar();
  if (a < 0 || b < 0) return 0;
  int n = square(a) - square(b);
  assert(n != a - b || n == 0 || a + b == 1);
  assert(a != 'A' || b > 'Z' || b < 'A');
  if (square(a) % 4 == 3) return 100 / (a - b);
  return 0;
}
