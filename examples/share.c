/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Shares things out. With nobody to share with it ends by a signal, and should keep all of them.
 */
#include <stdio.h>

int main(void) {
  int total, parts, each = 0;
  if (scanf("%d %d", &total, &parts) != 2 || total < 0 || total > 1000 || parts < 0 || parts > 50)
    return 1;
  each = total / parts;
  printf("%d each, %d left\n", each, total - each * parts);
  return 0;
}
