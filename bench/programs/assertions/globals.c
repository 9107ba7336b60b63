/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Global variables and static ones.
 */
#include "input.h"
static int total, limit = 10;
static const int steps[] = {1, 2, 3};
int visible = 3;
static int add(int by) {
  if (total + by > limit) return 0;
  total += by;
  return 1;
}
static int ticket(void) {
  static int number = 100;
  return number++;
}
int main(void) {
  int n = input(0, 6), i;
  for (i = 0; i < n; i++) {
    add(steps[i % 3]);
    assert(total <= limit);
    assert(total >= 0);
  }
  assert(limit == 10);
  assert(total <= 10);
  assert(total < 9);
  assert(visible == 3);
  assert(steps[1] == 2);
  int first = ticket(), second = ticket();
  assert(first == 100);
  assert(second > first);
  assert(second == 100);
  return 0;
}
