/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What units cost: some are free, some cheap, all others dear.
 */
#include <stdio.h>

int main(void) {
  int units, unpaid, cheap, dear, first, price = 0, rest;
  if (scanf("%d %d %d %d %d", &units, &unpaid, &first, &cheap, &dear) != 5) return 1;
  if (units < 0 || units > 500 || unpaid < 0 || unpaid > 50 || first < 0 || first > 100) return 1;
  if (cheap < 1 || cheap > 20 || dear < cheap || dear > 40) return 1;
  rest = units - unpaid;
  if (rest < 0) rest = 0;
  if (rest > first) {
    price = first * cheap + (rest - first) * dear;
  } else {
    price = rest * cheap;
  }
  printf("%d for %d\n", price, rest);
  return 0;
}
