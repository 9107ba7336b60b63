/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A window in an array, which has to fit.
 */
#include "input.h"

#include "at.h"

static int data[64];
int main(void) {
  int start = input(0, 63), length = input(0, 63), sum = 0;
  if (start + length > 64) return 1;
  for (int k = 0; k < length; k++) data[AT(start + k, 64)] = k;
  for (int k = 0; k < length; k++) sum += data[AT(start + k, 64)];
  assert(2 * sum == length * (length - 1));
  assert(length == 0 || sum < 64 * 31);
  return sum > 100;
}
