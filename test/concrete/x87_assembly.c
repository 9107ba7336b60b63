// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Instructions on the floating-point stack that libraries for mathematics have as assembly, and sqrtl.
#include <math.h>
#include <stdio.h>

static long double root(long double x) { __asm__("fsqrt" : "+t"(x)); return x; }
static long double positive(long double x) { __asm__("fabs" : "+t"(x)); return x; }
static long double whole(long double x) { __asm__("frndint" : "+t"(x)); return x; }

int main(void) {
  const long double values[] = {0, 1, 2, 2.25L, 1e300L, 3.5L, -2.5L, 0.1L};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    long double x = values[i];
    printf("%.20Lg %.20Lg %.20Lg\n", sqrtl(positive(x)), positive(x), whole(x));
    if (x >= 0) printf("%.20Lg %d\n", root(x), root(x) == sqrtl(x));
  }
  return 0;
}
