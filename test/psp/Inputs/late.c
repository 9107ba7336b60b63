/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An assertion that fails in the 48th iteration, if the input begins with an odd byte.
 */
#include <assert.h>
#include <stdio.h>

int main(void) {
  int byte = getchar();
  if (byte < 0) return 0;
  byte &= 1;
  for (int i = 0; i < 60; i++) assert(i * byte != 47);
  return 0;
}
