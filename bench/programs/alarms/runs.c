/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Run lengths are written out.
 */
#include "input.h"

#include "at.h"

int main(void) {
  char out[20];
  int used = 0;
  for (int k = 0; k < 3; k++) {
    int length = input(0, 7), letter = 'a' + k;
    if (used + length > 20) return 1;
    for (int j = 0; j < length; j++) out[AT(used + j, 20)] = (char)letter;
    used += length;
  }
  assert(used <= 20);
  assert(used == 0 || out[AT(used - 1, 20)] >= 'a');
  assert(used < 20 || out[AT(19, 20)] == 'c');
  out[AT(used, 20)] = 0;
  return 0;
}
