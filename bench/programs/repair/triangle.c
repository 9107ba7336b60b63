/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The kind of a triangle with these sides.
 */
#include <stdio.h>

int main(void) {
  int a, b, c, equal = 0;
  if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
  if (a < 1 || b < 1 || c < 1 || a > 1000 || b > 1000 || c > 1000) return 1;
  if (a + b <= c || a + c <= b || b + c <= a) {
    printf("none\n");
    return 0;
  }
  if (a == b) equal = equal + 1;
  if (b == c) equal = equal + 1;
  if (a == c) equal = equal + 1;
  printf("%d equal, around %d\n", equal, a + b + c);
  return 0;
}
