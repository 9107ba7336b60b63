/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Numbers below a pivot to the front: how many those are, and how many had to move.
 */
#include <stdio.h>

int main(void) {
  int a[10], n, pivot, front = 0, moved = 0;
  if (scanf("%d %d", &n, &pivot) != 2) return 1;
  if (n < 1 || n > 10 || pivot < 0 || pivot > 20) return 1;
  for (int i = 0; i < n; i++)
    if (scanf("%d", &a[i]) != 1 || a[i] < 0 || a[i] > 20) return 1;
  for (int i = 0; i < n; i++) {
    if (a[i] < pivot) {
      int kept = a[front];
      if (i != front) moved = moved + 1;
      a[front] = a[i];
      a[i] = kept;
      front = front + 1;
    }
  }
  for (int i = 0; i < n; i++) printf("%d ", a[i]);
  printf("%d in front, %d moved\n", front, moved);
  return 0;
}
