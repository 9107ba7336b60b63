// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=0,1,2,3,4,5
// Symbolic values in calls whose type is not the callee's: truncated and zero-extended, as a register is.
#include <fathom.h>

static int narrow(int x) {
  if (x == 5) return 1;
  return x == -7 ? 2 : 0;
}
unsigned long result(unsigned char a) { return ((unsigned long)a << 32) + a; }
extern unsigned resultAsUnsigned(unsigned char) __asm__("result");

typedef int (*OfLong)(long);
typedef unsigned (*ToUnsigned)(unsigned char);

int main(void) {
  long x = fathom_long("x");
  unsigned char y = (unsigned char)fathom_int("y");
  unsigned long (*volatile all)(unsigned char) = result;
  int (*volatile f)(int) = narrow;
  int direct = ((OfLong)narrow)(x);
  if (direct) return direct;
  if (((OfLong)f)(x ^ 1) == 1) return 3; // x = 4, whatever is in the upper half
  if (resultAsUnsigned(y) == 9) return 4;
  if (((ToUnsigned)all)(y) == 11) return 5;
  return 0;
}
