// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=6 tests=6 statuses=1,2,3,4,5
// A symbolic choice of object: the state forks over the objects that a pointer can point into, not over offsets within one.
#include <fathom.h>
#include <stdlib.h>

int main(void) {
  unsigned which = fathom_uint("which"), at = fathom_uint("at");
  fathom_assume(which < 3 && at < 4);
  unsigned char *blocks[3];
  for (unsigned i = 0; i < 3; i++) {
    blocks[i] = calloc(4, 1);
    blocks[i][3] = (unsigned char)(i + 1);
  }
  unsigned char *p = blocks[which]; // one of three objects
  p[at] += 4;                       // one of four offsets
  int r = 0;
  if (at == 3)
    r = p[3] > 5 ? 5 : 4; // objects: 5, 6, 7
  else
    r = p[3];
  for (unsigned i = 0; i < 3; i++)
    free(blocks[i]);
  return r;
}
