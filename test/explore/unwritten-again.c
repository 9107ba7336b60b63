// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t bugs=uninitialized-read:15,uninitialized-read:25
// A variable of a loop's body is unwritten again in every iteration, in memory and in a register.
#include <fathom.h>

static int inMemory(int c) {
  int r = 0;
  for (int i = 0; i < 2; i++) {
    int x, *p = &x;
    if (i == 0) {
      *p = c;
      r = *p == 3;
    }
    if (i == 0 && *p == c) r++;
    else if (*p == 7) // unwritten in the second
      r += 4;
  }
  return r;
}
static int inRegister(int c) {
  int r = 0;
  for (int i = 0; i < 2; i++) {
    int x;
    if (i == 0) x = c;
    if (x == 7) // unwritten in the second
      r++;
  }
  return r;
}
static int written(int c) { // a label in the block: the variable is not declared again
  int r = 0;
  {
    int x = c, n = 0;
  again:
    if (x == 7) r++;
    if (++n < 3) goto again;
  }
  return r;
}

int main(void) {
  int c = fathom_range(0, 9, "c");
  switch (fathom_range(0, 2, "which")) {
  case 0: return inMemory(c);
  case 1: return inRegister(c);
  }
  return written(c);
}
