/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that call themselves.
 */
#include "input.h"
static int down(int n) { return n <= 0 ? 0 : down(n - 1); }
static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
static int depth;
static void enter(int n) {
  depth++;
  if (n > 0) enter(n - 1);
}
int main(void) {
  int n = input(0, 12);
  assert(down(n) == 0);
  assert(sum(n) >= 0);
  assert(sum(3) == 6);
  assert(even(n) == 0 || even(n) == 1);
  assert(even(n) == 1);
  assert(gcd(n + 1, 4) >= 0);
  assert(gcd(n + 1, 4) == 1);
  enter(n);
  assert(depth >= 1);
  assert(depth == n + 1);
  return 0;
}
