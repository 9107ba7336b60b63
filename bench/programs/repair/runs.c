/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The longest run of equal numbers, and where it begins.
 */
#include <stdio.h>

int main(void) {
  int n, value, last = -1, length = 0, best = 0, begin = 0, start = 0;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 1 || n > 12) return 1;
  for (int i = 0; i < n; i++) {
    if (scanf("%d", &value) != 1 || value < 0 || value > 9) return 1;
    if (value != last) {
      length = 0;
      begin = i;
    }
    length = length + 1;
    if (length > best) {
      best = length;
      start = begin;
    }
    last = value;
  }
  printf("%d from %d\n", best, start);
  return 0;
}
