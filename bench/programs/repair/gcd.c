/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The greatest common divisor and the least common multiple.
 */
#include <stdio.h>

static int divisor(int a, int b) {
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
int main(void) {
  int x, y, common, multiple;
  if (scanf("%d %d", &x, &y) != 2) return 1;
  if (x < 1 || x > 500 || y < 1 || y > 500) return 1;
  common = divisor(x, y);
  multiple = x / common * y;
  printf("%d and %d\n", common, multiple);
  return 0;
}
