/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Residues of squares.
 */
#include "input.h"

#include "at.h"

static int seen[17];
int main(void) {
  int x = input(0, 4000);
  int rest = x * x % 17;
  seen[AT(rest, 17)] = 1;
  assert(rest != 3);
  assert(rest != 5);
  assert(rest != 13);
  assert(rest <= 16);
  assert(x % 17 != 6 || rest == 2);
  assert(x * x % 8 != 2);
  return 100 / (rest + 1) > 99;
}
