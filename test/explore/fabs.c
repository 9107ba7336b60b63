// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t statuses=0,1,2,3
// Absolute value and sign copying move the sign bit: exact on terms, nothing is pinned.
#include <fathom.h>
#include <string.h>

static unsigned long bitsOf(double d) {
  unsigned long u;
  memcpy(&u, &d, sizeof u);
  return u;
}

int main(void) {
  double d, e;
  fathom_symbolic(&d, sizeof d, "d");
  fathom_symbolic(&e, sizeof e, "e");
  if (bitsOf(__builtin_fabs(d)) >> 63) return 9;
  if (bitsOf(__builtin_fabs(d)) == bitsOf(1.5) && bitsOf(d) >> 63) return 1;
  if (bitsOf(__builtin_copysign(2.0, d)) == bitsOf(-2.0)) return 2;
  if (bitsOf(__builtin_copysign(d, e)) == bitsOf(-4.0)) return 3;
  return 0;
}
