/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A branch and a flag that agree.
 */
#include "input.h"
int main(void) {
  int x = input(-20, 20), wanted = 0, y = 1;
  if (x > 0) {
    wanted = 1;
    y = x;
  }
  if (wanted) assert(x > 0);
  if (wanted) assert(y > 0);
  if (!wanted) assert(y == 1);
  if (!wanted) assert(x < 0);
  int mode = x > 5 ? 2 : x > 0 ? 1 : 0;
  assert(mode >= 0 && mode <= 2);
  if (mode == 2) assert(x > 5);
  if (mode == 0) assert(!wanted);
  if (mode == 1) assert(x < 5);
  assert(y >= 1);
  return 0;
}
