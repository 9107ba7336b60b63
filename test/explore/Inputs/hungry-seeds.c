// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paths with 3 MB of memory of their own each: one for each of 60 seeds (the N-th has a z in byte N and nothing else), as many that no seed
// takes, and one more.
#include <fathom.h>
#include <stdlib.h>
#include <string.h>

enum { Seeds = 60, Size = 3000000 };

int main(void) {
  unsigned char in[2 * Seeds];
  fathom_symbolic(in, sizeof in, "fuzz_data");
  char *own = malloc(Size);
  int status = 0;
  for (int i = 0; i < Seeds && !status; i++) {
    memset(own, i + 1, Size);
    if (in[Seeds + i] > 100) status = 3; // no seed goes there
    memset(own, i + 2, Size);
    if (!status && in[i] > 100) status = 1; // seed i goes there
  }
  free(own);
  return status;
}
