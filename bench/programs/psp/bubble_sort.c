/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bubble sort that ends with the first pass without a swap.
 */
#include "input.h"

int main(void) {
  int a[N];
  fill(a);
  int swapped = 1;
  for (int last = N - 1; swapped && last > 0; last--) {
    swapped = 0;
    for (int j = 0; j < last; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
        swapped = 1;
      }
  }
  checkSorted(a);
  return 0;
}
