/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A ring buffer: put and get by the bits of a number.
 */
#include "input.h"

#include "at.h"

static int ring[8];
int main(void) {
  int commands = input(0, 4095), used = 0, first = 0, total = 0;
  for (int k = 0; k < 12; k++) {
    if (commands >> k & 1) {
      if (used == 8) return 1;
      ring[AT((first + used) % 8, 8)] = k;
      used++;
    } else if (used > 0) {
      total += ring[AT(first, 8)];
      first = (first + 1) % 8;
      used--;
    }
    assert(used >= 0 && used <= 8);
  }
  assert(total <= 66);
  assert(used + total <= 58);
  assert(first < 7);
  return 0;
}
