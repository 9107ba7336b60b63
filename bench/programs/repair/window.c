/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The largest sum of so many neighbours.
 */
#include <stdio.h>

int main(void) {
  int a[12], n, width, sum = 0, best, at = 0;
  if (scanf("%d %d", &n, &width) != 2) return 1;
  if (n < 1 || n > 12 || width < 1 || width > n) return 1;
  for (int i = 0; i < n; i++)
    if (scanf("%d", &a[i]) != 1 || a[i] < -50 || a[i] > 50) return 1;
  for (int i = 0; i < width; i++) sum = sum + a[i];
  best = sum;
  for (int i = width; i < n; i++) {
    sum = sum + a[i] - a[i - width];
    if (sum > best) {
      best = sum;
      at = i - width + 1;
    }
  }
  printf("%d at %d\n", best, at);
  return 0;
}
