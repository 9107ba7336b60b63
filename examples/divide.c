/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The README's program: two branches, and a division that one input breaks.
 */
#include <fathom.h>

int main(void) {
  int count = fathom_range(-3, 3, "count");
  if (count == 0)
    return 1;
  if (100 / (count - 1) > 30)
    return 2;
  return 0;
}
