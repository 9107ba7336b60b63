// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One path, and it prints "snap!".
#include <stdio.h>

int main(void) {
  puts("snap!");
  return 0;
}
