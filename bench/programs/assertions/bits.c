/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bits: masks, shifts, tests of flags.
 */
#include "input.h"
int main(void) {
  unsigned x = (unsigned)input(0, 255);
  int y = input(-16, 15);
  assert((x & 7) < 8);
  assert((x & 7) != 8);
  assert((x & 8) == 0 || (x & 8) == 8);
  assert((x & 6) % 2 == 0);
  assert((x & 6) < 6);
  assert((x >> 4) <= 15);
  assert((x >> 4) < 15);
  assert((x << 2) % 4 == 0);
  assert((x << 2) <= 1020);
  assert((x | 1) != 0);
  assert((x | 16) >= 16);
  assert((x | 1) % 2 == 1);
  assert((x ^ x) == 0);
  assert((y >> 1) >= -8);
  assert((y >> 1) <= 7);
  assert((y & 15) <= 15);
  assert((y & 15) >= 0);
  assert((y & ~3) % 4 == 0);
  assert((~y) + 1 == -y);
  unsigned flags = 0;
  if (y > 0) flags |= 4;
  if (x > 9) flags |= 1;
  assert(flags <= 5);
  assert((flags & 2) == 0);
  if (flags & 4) assert(y > 0);
  assert(flags != 4);
  return 0;
}
