/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions behind pointers.
 */
#include "input.h"
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int most(int a, int b) { return a > b ? a : b; }
static int (*const operations[])(int, int) = {add, subtract, most};
struct machine {
  int (*step)(int, int);
  int value;
};
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
int main(void) {
  int which = input(0, 2), x = input(0, 9);
  int (*f)(int, int) = add;
  assert(f(2, 3) == 5);
  f = operations[which];
  assert(f(2, 1) >= 1 && f(2, 1) <= 3);
  assert(f(2, 1) == 3);
  assert(apply(most, x, 5) >= 5);
  assert(apply(most, x, 5) >= x);
  assert(apply(subtract, x, x) == 0);
  assert(apply(add, x, 1) < 10);
  struct machine m = {subtract, 10};
  m.value = m.step(m.value, x);
  assert(m.value >= 1 && m.value <= 10);
  assert(m.value > 1);
  return 0;
}
