// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t ledger=concretized-value paths_completed=3 statuses=1,3,4
// RUN: %explore %s %t ledger=concretized-value paths_completed=2 -- --symbolic-floats=0
// What has no terms is pinned to one value, and said: long double, and all of it with --symbolic-floats=0.
#include <fathom.h>

int main(void) {
  int which = fathom_range(0, 2, "which");
  double x;
  fathom_symbolic(&x, sizeof x, "x");
  if (which) {
    if (x > 1) return 3;
    return 4;
  }
  long double wide = x;
  return wide > 1 ? 2 : 1;
}
