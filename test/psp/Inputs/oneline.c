/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two functions on one line, of which the first is never called: no byte is above 1000.
 */
#include <stdio.h>

// clang-format off
static int far(int b) { return 100 / (b + 1); } static int near(int b) { return 100 / (b + 2); }
// clang-format on

int main(void) {
  int a = getchar(), b = getchar();
  if (a < 0 || b < 0) return 0;
  return a > 1000 ? far(b) : near(b);
}
