// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t paths_completed=4 -- --sym-stdin 1 --external-functions take
// RUN: %explore --cc=-DWRONG %s %t paths_completed=4 bugs=out-of-bounds-read:26 -- --sym-stdin 1 --external-functions take,takeIf
// RUN: %explore %s %t paths_completed=4 -- --sym-stdin 1 --external defer --external-functions take
//
// A structure by value cannot be passed to an external function, so that the function is interpreted: also where the
// structure is one of several, and where it cannot be read.
#include <stdlib.h>
#include <unistd.h>

struct Big {
  long a, b, c;
};
__attribute__((noinline)) static long take(struct Big x, int k) { return x.a + k; }
__attribute__((noinline)) static long takeIf(struct Big x) { return x.a; }

int main(void) {
  struct Big all[4] = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
  struct Big *small = malloc(8);
  unsigned char in = 0;
  read(0, &in, 1);
  if (!small) return 1;
  small->a = 1;
  long got = take(all[in & 3], 5);
#ifdef WRONG
  if (in == 77) got += takeIf(*small);
#endif
  free(small);
  return (int)got;
}
