/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sorts numbers by insertion, and counts what had to move.
 */
#include <stdio.h>

int main(void) {
  int a[10], n, moved = 0;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 1 || n > 10) return 1;
  for (int i = 0; i < n; i++)
    if (scanf("%d", &a[i]) != 1 || a[i] < 0 || a[i] > 99) return 1;
  for (int i = 1; i < n; i++) {
    int key = a[i], j = i;
    while (j > 0 && a[j - 1] > key) {
      a[j] = a[j - 1];
      j = j - 1;
      moved = moved + 1;
    }
    a[j] = key;
  }
  for (int i = 0; i < n; i++) printf("%d ", a[i]);
  printf("moved %d\n", moved);
  return 0;
}
