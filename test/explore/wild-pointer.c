// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=null-dereference:8 paths_completed=0 queries\<50
// All of the thousand wrong values are one fault, not a thousand.
#include <fathom.h>

int main(void) {
  char *p = (char *)(fathom_uint64("x") & 0x3ff);
  return *p;
}
