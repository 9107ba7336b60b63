/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The outer product of two symbolic vectors, its signs checked.
 */
#include "input.h"

int main(void) {
  int a[SIZE], b[SIZE], positive = 0, signA = 0, signB = 0, zero = 0;
  for (int i = 0; i < SIZE; i++) a[i] = small(255) - 128;
  for (int i = 0; i < SIZE; i++) b[i] = small(255) - 128;
  for (int i = 0; i < SIZE; i++) {
    if (a[i] > 0) signA++;
    if (b[i] > 0) signB++;
    if (a[i] == 0) zero++;
  }
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      if (a[i] > 0 && b[j] > 0 && a[i] * b[j] > 0) positive++;
  assert(positive == signA * signB);
  assert(zero + signA <= SIZE);
  return 0;
}
