/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Change in the fewest coins of four kinds; line 17 is wrong: coins of 50 are meant.
 */
#include <stdio.h>

int main(void) {
  int price, paid, rest, coins = 0, large, small;
  if (scanf("%d %d", &price, &paid) != 2) return 1;
  if (price < 0 || price > 500 || paid < 0 || paid > 500) return 1;
  if (paid < price) {
    printf("%d too little\n", price - paid);
    return 0;
  }
  rest = paid - price;
  large = rest / 50;
  rest = rest % 51;
  small = rest / 10;
  rest = rest % 10;
  coins = large + small + rest / 5 + rest % 5;
  printf("%d coins, %d large, %d small\n", coins, large, small);
  return 0;
}
