/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sorting, and what is left of the elements.
 */
#include "input.h"
static int a[5];
int main(void) {
  int i, j;
  a[0] = input(0, 5), a[1] = input(3, 7), a[2] = input(1, 3), a[3] = 4, a[4] = 0;
  for (i = 0; i < 5; i++)
    for (j = 0; j + 1 < 5 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  for (i = 0; i < 5; i++) {
    assert(a[i] >= 0);
    assert(a[i] <= 7);
  }
  assert(i == 5);
  assert(a[0] <= a[4]);
  assert(a[4] <= 7);
  assert(a[4] < 7);
  assert(a[0] == 0);
  return 0;
}
