/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Insertion sort.
 */
#include "input.h"

int main(void) {
  int a[N];
  fill(a);
  for (int i = 1; i < N; i++) {
    int x = a[i], j = i;
    while (j > 0 && a[j - 1] > x) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = x;
  }
  checkSorted(a);
  return 0;
}
