/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The greatest common divisor, by subtraction.
 */
#include "input.h"

int main(void) {
  int a = 1 + small(MOST), b = 1 + small(MOST), x = a, y = b;
  while (x != y)
    if (x > y)
      x -= y;
    else
      y -= x;
  assert(x >= 1 && x <= a && x <= b);
  return 0;
}
