/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Half a matrix in an array.
 */
#include "input.h"

#include "at.h"

static unsigned char half[55];
int main(void) {
  int i = input(0, 9), j = input(0, 9), sum = 0;
  if (j > i) return 1;
  int at = i * (i + 1) / 2 + j;
  half[AT(at, 55)] = 1;
  assert(at <= 54);
  assert(at * 2 <= (i + 1) * (i + 2) - 2);
  for (int k = 0; k < 55; k++) sum += half[k];
  assert(sum == 1);
  assert(at != 37);
  return 0;
}
