// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=1,2,3,7
// Objects of one name: several on a path, of other sizes on other paths, and names that look like the ones made up. No two
// objects of a path are the same symbol.
#include <fathom.h>

static int differ(int size) {
  int small[2] = {0, 0};
  long large[2] = {0, 0};
  if (size == 4) {
    fathom_symbolic(&small[0], sizeof small[0], "a");
    fathom_symbolic(&small[1], sizeof small[1], "a_1");
    if (small[0] != small[1]) return 7;
    return 1;
  }
  fathom_symbolic(&large[0], sizeof large[0], "a");
  fathom_symbolic(&small[0], sizeof small[0], "a");
  fathom_symbolic(&small[1], sizeof small[1], "a");
  if (small[0] != small[1]) return 7;
  if (large[0] == small[0]) return 2;
  return 3;
}

int main(void) {
  int which = fathom_int("which");
  return differ(which > 0 ? 4 : 8);
}
