/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Merge sort from above.
 */
#include "input.h"

static int spare[N];

static void sort(int *a, int lo, int hi) {
  if (hi - lo < 2) return;
  int middle = (lo + hi) / 2;
  sort(a, lo, middle);
  sort(a, middle, hi);
  int i = lo, j = middle;
  for (int k = lo; k < hi; k++)
    if (i < middle && (j >= hi || a[i] <= a[j]))
      spare[k] = a[i++];
    else
      spare[k] = a[j++];
  for (int k = lo; k < hi; k++) a[k] = spare[k];
}

int main(void) {
  int a[N];
  fill(a);
  sort(a, 0, N);
  checkSorted(a);
  return 0;
}
