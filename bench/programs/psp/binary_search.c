/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Binary search for a symbolic key in a symbolic array, which is sorted or refused.
 */
#include "input.h"

int main(void) {
  int a[N];
  fill(a);
  for (int i = 1; i < N; i++)
    if (a[i - 1] >= a[i]) return 2;
  for (int query = 0; query < QUERIES; query++) {
    int key = number(), lo = 0, hi = N;
    while (lo < hi) {
      int middle = (lo + hi) / 2;
      if (a[middle] < key)
        lo = middle + 1;
      else
        hi = middle;
    }
    assert(lo == N || a[lo] >= key);
    assert(lo == 0 || a[lo - 1] < key);
  }
  return 0;
}
