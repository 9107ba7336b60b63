/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A loop that forks for ever, and whose states stay small.
 */
#include <fathom.h>

int main(void) {
  unsigned long state = fathom_uint64("start");
  int steps = 0;
  while (state != 1) {
    if (state & 1)
      state = state * 3 + 1;
    else
      state /= 2;
    steps++;
  }
  return steps & 0x7f;
}
