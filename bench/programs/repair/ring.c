/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A queue of four places: numbers enter, 0 takes one out.
 */
#include <stdio.h>

int main(void) {
  int queue[4], first = 0, used = 0, n, value, lost = 0, sum = 0;
  if (scanf("%d", &n) != 1) return 1;
  if (n < 1 || n > 12) return 1;
  for (int i = 0; i < n; i++) {
    if (scanf("%d", &value) != 1 || value < 0 || value > 99) return 1;
    if (value == 0) {
      if (used > 0) {
        sum = sum * 2 + queue[first];
        first = (first + 1) % 4;
        used = used - 1;
      }
    } else if (used < 4) {
      int place = (first + used) % 4;
      queue[place] = value;
      used = used + 1;
    } else {
      lost = lost + 1;
    }
  }
  printf("%d left, %d lost, sum %d\n", used, lost, sum);
  return 0;
}
