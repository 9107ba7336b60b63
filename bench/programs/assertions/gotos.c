/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Control that jumps.
 */
#include "input.h"
int main(void) {
  int x = input(0, 20), tries = 0, y = 0;
again:
  tries++;
  assert(tries >= 1);
  assert(tries <= 5);
  if (tries < 5 && x > 10) goto again;
  if (x > 10) assert(tries == 5);
  if (x <= 10) assert(tries == 1);
  if (x < 3) goto fail;
  y = 2;
  if (x < 5) goto out;
  y = 3;
  goto out;
fail:
  assert(x <= 2);
  y = -1;
out:
  assert(y != 0);
  if (y == -1) assert(x < 3);
  if (y > 0) assert(x >= 3);
  if (y == 2) assert(x == 4);
  return 0;
}
