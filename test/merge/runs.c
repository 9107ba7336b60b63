// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run-length decoding writes in a nested loop, and past the end of the buffer: a bug that merging keeps.
// RUN: %merges %s %t
#include "Inputs/tell.h"

int main(void) {
  unsigned char data[4], out[6] = {0};
  fathom_symbolic(data, sizeof data, "data");
  unsigned n = 0;
  for (unsigned i = 0; i + 1 < sizeof data; i += 2)
    for (unsigned k = 0; k < (data[i] & 3u); k++) out[n++] = data[i + 1];
  if (n == 6) out[n] = 1;
  tell(n);
  if (n > 3 && out[3] == 'x') puts("x");
  return 0;
}
