/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Selection sort.
 */
#include "input.h"

int main(void) {
  int a[N];
  fill(a);
  for (int i = 0; i < N - 1; i++) {
    int least = i;
    for (int j = i + 1; j < N; j++)
      if (a[j] < a[least]) least = j;
    int t = a[i];
    a[i] = a[least];
    a[least] = t;
  }
  checkSorted(a);
  return 0;
}
