/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A stack machine of three operations.
 */
#include "input.h"

#include "at.h"

int main(void) {
  int code = input(0, 6560), depth = 0, stack[8];
  for (int k = 0; k < 8; k++, code /= 3) {
    switch (code % 3) {
    case 0:
      stack[AT(depth, 8)] = k;
      depth++;
      break;
    case 1:
      if (depth < 2) return 1;
      depth--;
      stack[AT(depth - 1, 8)] += 1;
      break;
    default:
      if (!depth) return 1;
      stack[AT(depth - 1, 8)] *= 2;
    }
    assert(depth >= 0);
  }
  assert(depth <= 8);
  assert(depth != 7);
  return 0;
}
