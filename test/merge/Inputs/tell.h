/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A branch for each result, without a loop: what was merged is told apart again. */
#include <fathom.h>
#include <stdio.h>

static void tell(long n) {
  switch (n) {
  case 0: printf("0 "); break;
  case 1: printf("1 "); break;
  case 2: printf("2 "); break;
  case 3: printf("3 "); break;
  case 4: printf("4 "); break;
  case 5: printf("5 "); break;
  case 6: printf("6 "); break;
  case 7: printf("7 "); break;
  case 8: printf("8 "); break;
  case 9: printf("9 "); break;
  default: printf("more ");
  }
}
