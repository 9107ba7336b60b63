/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A harness whose result is a value that was never written.
 */
#include <fathom.h>

int main(void) {
  int values[2];
  values[0] = 1;
  if (values[fathom_range(0, 1, "index")] == 1) return 1;
  return 0;
}
