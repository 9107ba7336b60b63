/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The middle one of three numbers, and how far the others are.
 */
#include <stdio.h>

int main(void) {
  int a, b, c, low, high, middle;
  if (scanf("%d %d %d", &a, &b, &c) != 3) return 1;
  if (a < -1000 || a > 1000 || b < -1000 || b > 1000 || c < -1000 || c > 1000) return 1;
  low = a;
  if (b < low) low = b;
  if (c < low) low = c;
  high = a;
  if (b > high) high = b;
  if (c > high) high = c;
  middle = a + b + c - low - high;
  printf("%d, from %d to %d\n", middle, middle - low, high - middle);
  return 0;
}
