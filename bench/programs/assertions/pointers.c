/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pointers to variables.
 */
#include "input.h"
static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
int main(void) {
  int x = input(0, 9), y = 20, z = 30, *p = &x, *q = &y, **pp = &p;
  swap(p, q);
  assert(x == 20);
  assert(y >= 0 && y <= 9);
  assert(z == 30);
  *pp = &z;
  *p = 31;
  assert(z == 31);
  assert(x == 20);
  q = input(0, 1) ? &x : &z;
  *q = 50;
  assert(*q == 50);
  assert(x == 20 || x == 50);
  assert(x == 50 || z == 50);
  assert(x == 50);
  assert(z <= 50);
  assert(y < 10);
  int row[4] = {1, 2, 3, 4}, *r = row;
  r += 2;
  assert(*r == 3);
  assert(r[-1] == 2);
  assert(r - row == 2);
  assert(r > row);
  assert(r != row + 3);
  assert(p != q);
  return 0;
}
