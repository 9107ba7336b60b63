// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=0,1
// A symbolic index into many symbolic bytes: more than the incremental solver's budget, and far less than the query's.
#include <fathom.h>

unsigned char buf[3300];

int main(void) {
  fathom_symbolic(buf, sizeof buf, "buf");
  unsigned i = fathom_uint("i");
  fathom_assume(i < sizeof buf);
  if (buf[i] == 'x') return 1;
  return 0;
}
