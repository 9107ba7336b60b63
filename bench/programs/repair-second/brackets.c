/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How deep brackets are nested (1 opens, 2 closes), and how many have no partner.
 */
#include <stdio.h>

int main(void) {
  int n, sign, depth = 0, deepest = 0, alone = 0, pairs = 0;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 1 || n > 12) return 1;
  for (int i = 0; i < n; i++) {
    if (scanf("%d", &sign) != 1 || sign < 0 || sign > 2) return 1;
    if (sign == 1) {
      depth = depth + 1;
      if (depth > deepest) deepest = depth;
    }
    if (sign == 2) {
      if (depth > 0) {
        depth = depth - 1;
        pairs = pairs + 1;
      } else {
        alone = alone + 1;
      }
    }
  }
  printf("%d deep, %d pairs, %d alone\n", deepest, pairs, alone + depth);
  return 0;
}
