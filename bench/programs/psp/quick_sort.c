/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Quicksort, the last element as pivot.
 */
#include "input.h"

static void sort(int *a, int lo, int hi) {
  if (lo >= hi) return;
  int pivot = a[hi], to = lo;
  for (int i = lo; i < hi; i++)
    if (a[i] < pivot) {
      int t = a[i];
      a[i] = a[to];
      a[to] = t;
      to++;
    }
  a[hi] = a[to];
  a[to] = pivot;
  sort(a, lo, to - 1);
  sort(a, to + 1, hi);
}

int main(void) {
  int a[N];
  fill(a);
  sort(a, 0, N - 1);
  checkSorted(a);
  return 0;
}
