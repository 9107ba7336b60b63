/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions: what they return and write.
 */
#include "input.h"
static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static int absolute(int x) { return x < 0 ? -x : x; }
static int both(int x, int *other) {
  *other = x + 1;
  return x - 1;
}
static int deep3(int x) { return x + 1; }
static int deep2(int x) { return deep3(x) + 1; }
static int deep1(int x) { return deep2(x) + 1; }
static int calls;
static int count(void) { return ++calls; }
int main(void) {
  int x = input(-30, 30), other = 0;
  assert(clamp(x, 0, 5) >= 0);
  assert(clamp(x, 0, 5) <= 5);
  assert(clamp(x, -40, 40) == x);
  assert(clamp(x, 0, 5) < 5);
  assert(absolute(x) >= 0);
  assert(absolute(x) <= 30);
  assert(absolute(x) == x);
  int less = both(x, &other);
  assert(other - less == 2);
  assert(other > x);
  assert(less == x + 1);
  assert(deep1(x) == x + 3);
  assert(deep1(7) == 10);
  assert(count() == 1);
  assert(count() == 2);
  assert(calls == 2);
  assert(calls == 3);
  return 0;
}
