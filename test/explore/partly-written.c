// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=uninitialized-read:10 statuses=0,1
// A write through a symbolic index does not initialise what it does not hit.
#include <fathom.h>

int main(void) {
  int a[4];
  long i = fathom_range(0, 3, "i");
  a[i] = 1;
  if (a[2]) return 1;
  return 0;
}
