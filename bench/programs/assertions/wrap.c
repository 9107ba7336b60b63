/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Unsigned numbers wrap; small ones are cut.
 */
#include "input.h"
int main(void) {
  int x = input(0, 300);
  unsigned u = (unsigned)x;
  unsigned char c = (unsigned char)x;
  signed char s = (signed char)x;
  short h = (short)(x * 300);
  assert(c <= 255);
  assert(c == x);
  assert(s >= -128 && s <= 127);
  assert(s >= 0);
  assert(h >= -32768);
  assert(u - 1 >= u || u > 0);
  unsigned before = u - 1;
  if (u > 0) assert(before < u);
  if (u == 0) assert(before == 4294967295u);
  unsigned char d = (unsigned char)(c + 1);
  if (x < 200) assert(d > c);
  if (x < 200) assert(c == x);
  assert(d > c);
  unsigned long wide = (unsigned long)u * 4000000000ul;
  assert(wide >= u);
  assert(wide / 1000 <= 1200000000ul);
  assert((long)x * 1000000 <= 300000000l);
  assert((char)('a' + x % 26) >= 'a');
  return 0;
}
