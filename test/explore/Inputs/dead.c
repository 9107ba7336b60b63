/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <fathom.h>

static int work(unsigned x) {
  unsigned square = x * x;
  int r = 0;
  if (x < 1000) {
    if (x > 500)
      r = 1;
    else
      r = 2;
    if (square == 2)
      r = 3; /* no number below 1000 has this square */
  }
  return r;
}
int main(void) { return work(fathom_uint("x")); }
