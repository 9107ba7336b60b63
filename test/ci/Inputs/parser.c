/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A program with an old bug; a change adds another one (the line with CHANGE). */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned char p[8] = {0};
  if (fread(p, 1, sizeof p, stdin) < 2) return 1;
  if (p[0] == 'O' && p[1] > 'l') abort();
  /*CHANGE if (p[0] == 'N') return 100 / (p[1] - 'e');*/
  return 0;
}
