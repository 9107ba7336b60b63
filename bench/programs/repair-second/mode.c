/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The number that is there most often, and how many different ones there are.
 */
#include <stdio.h>

int main(void) {
  int count[10] = {0}, n, value, most = 0, kinds = 0;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 1 || n > 12) return 1;
  for (int i = 0; i < n; i++) {
    if (scanf("%d", &value) != 1 || value < 0 || value > 9) return 1;
    count[value] = count[value] + 1;
  }
  for (int v = 0; v < 10; v++) {
    if (count[v] > count[most]) most = v;
    if (count[v] > 0) kinds = kinds + 1;
  }
  printf("%d is there %d times, %d kinds\n", most, count[most], kinds);
  return 0;
}
