/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Unions and bytes of numbers.
 */
#include "input.h"
union word {
  unsigned number;
  unsigned char bytes[4];
};
struct packed {
  unsigned kind : 3, size : 5;
  int value;
};
int main(void) {
  int x = input(0, 255), k = input(0, 7);
  union word w;
  w.number = 0;
  w.bytes[0] = (unsigned char)x;
  assert(w.number <= 255);
  assert(w.number == (unsigned)x);
  w.number = 0x01020304;
  assert(w.bytes[0] == 4);
  assert(w.bytes[3] == 1);
  struct packed p = {0, 0, 9};
  p.kind = (unsigned)k;
  p.size = 20;
  assert(p.kind <= 7);
  assert(p.size == 20);
  assert(p.value == 9);
  assert(p.kind < 7);
  return 0;
}
