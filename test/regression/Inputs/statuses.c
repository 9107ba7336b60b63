// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends with statuses that tools and shells use for something else.
#include <stdio.h>

int main(void) {
  switch (getchar()) {
  case 'a': return 99;
  case 'b': return 126;
  case 'c': return 127;
  case 'd': return 137;
  default: return 3;
  }
}
