/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Switches, with falling through.
 */
#include "input.h"
enum color { red, green = 5, blue };
static int weight(enum color c) {
  switch (c) {
  case red: return 10;
  case green: return 20;
  case blue: return 30;
  }
  return -1;
}
int main(void) {
  int x = input(0, 9), y = 0, kind = 0;
  switch (x) {
  case 0: y = 1; break;
  case 1:
  case 2: y = 2; /* falls through */
  case 3: y += 5; break;
  case 9: kind = 1; break;
  default: y = 50;
  }
  assert(y >= 0 && y <= 50);
  assert(y != 3);
  if (kind == 1) assert(y == 0);
  if (kind == 1) assert(x == 9);
  if (x == 2) assert(y == 7);
  if (x == 3) assert(y == 5);
  if (y == 50) assert(x > 3);
  if (y == 50) assert(x > 4);
  assert(weight(blue) == 30);
  assert(weight(x > 4 ? red : green) >= 10);
  assert(weight(x > 4 ? red : green) == 10);
  switch (x & 1) {
  case 0: break;
  case 1: break;
  default: assert(0);
  }
  return 0;
}
