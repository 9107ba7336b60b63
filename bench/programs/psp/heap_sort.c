/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Heapsort.
 */
#include "input.h"

static void sink(int *a, int i, int n) {
  for (;;) {
    int child = 2 * i + 1;
    if (child >= n) return;
    if (child + 1 < n && a[child + 1] > a[child]) child++;
    if (a[i] >= a[child]) return;
    int t = a[i];
    a[i] = a[child];
    a[child] = t;
    i = child;
  }
}

int main(void) {
  int a[N];
  fill(a);
  for (int i = N / 2 - 1; i >= 0; i--) sink(a, i, N);
  for (int end = N - 1; end > 0; end--) {
    int t = a[0];
    a[0] = a[end];
    a[end] = t;
    sink(a, 0, end);
  }
  checkSorted(a);
  return 0;
}
