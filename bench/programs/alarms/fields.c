/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Records with lengths in front of them.
 */
#include "input.h"

#include "at.h"

int main(void) {
  unsigned char text[24] = {0};
  int count = 0, at = 0;
  for (int k = 0; k < 4; k++) text[k * 4] = (unsigned char)input(0, 9);
  while (at < 20) {
    int length = text[AT(at, 24)];
    if (length == 0) break;
    at += length + 1;
    count++;
    assert(at >= 2 * count);
  }
  assert(at <= 28);
  if (at > 23) return 1;
  text[AT(at, 24)] = 1;
  assert(count <= 10);
  return text[AT(23 - at, 24)];
}
