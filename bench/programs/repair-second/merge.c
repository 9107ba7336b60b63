/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two ascending rows of numbers as one, without doubles.
 */
#include <stdio.h>

int main(void) {
  int a[6], b[6], n, m, i = 0, j = 0, last = -1, next, doubles = 0;
  if (scanf("%d %d", &n, &m) != 2) return 1;
  if (n < 1 || n > 6 || m < 1 || m > 6) return 1;
  for (int k = 0; k < n; k++)
    if (scanf("%d", &a[k]) != 1 || a[k] < 0 || a[k] > 30 || (k > 0 && a[k] < a[k - 1])) return 1;
  for (int k = 0; k < m; k++)
    if (scanf("%d", &b[k]) != 1 || b[k] < 0 || b[k] > 30 || (k > 0 && b[k] < b[k - 1])) return 1;
  while (i < n || j < m) {
    if (j == m || (i < n && a[i] <= b[j])) {
      next = a[i];
      i = i + 1;
    } else {
      next = b[j];
      j = j + 1;
    }
    if (next == last)
      doubles = doubles + 1;
    else
      printf("%d ", next);
    last = next;
  }
  printf("%d doubles\n", doubles);
  return 0;
}
