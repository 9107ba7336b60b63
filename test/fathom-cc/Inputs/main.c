// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
int answer(void);
static int twice(int x) { return x + x; }
int main(void) {
  printf("answer %d %d\n", answer(), twice(1));
  return 0;
}
