/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a key is in ascending numbers, or belongs.
 */
#include <stdio.h>

int main(void) {
  int a[8], n, key, low = 0, high, steps = 0;
  if (scanf("%d %d", &n, &key) != 2) return 1;
  if (n < 1 || n > 8) return 1;
  for (int i = 0; i < n; i++)
    if (scanf("%d", &a[i]) != 1 || a[i] < 0 || a[i] > 99 || (i > 0 && a[i] <= a[i - 1])) return 1;
  high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (a[middle] < key)
      low = middle + 1;
    else
      high = middle;
    steps = steps + 1;
  }
  if (low < n && a[low] == key)
    printf("found at %d\n", low);
  else
    printf("belongs at %d\n", low);
  return 0;
}
