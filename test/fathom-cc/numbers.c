// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that need the compiler's runtime: long double, complex, 128-bit integers, large atomics; and libm's generic C.
// The functions that bitcode calls for them are bitcode too.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %fathom-cc %s -o program -lm -latomic && ./program | FileCheck %s
// RUN: llvm-nm program.bc | FileCheck %s --check-prefix=SYMBOLS
// SYMBOLS-DAG: T __divdc3
// SYMBOLS-DAG: T __muldc3
// SYMBOLS-DAG: T __atomic_load
// SYMBOLS-DAG: T expl
// SYMBOLS-DAG: T cbrt
#include <complex.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>

struct large {
  int values[10];
};
static _Atomic struct large shared;

int main(int argc, char **argv) {
  volatile double complex a = 1 + 2 * I, b = 3 - I, infinite = CMPLX(INFINITY, 1);
  double complex p = a * b, q = a / b, r = infinite * a;
  printf("%g%+gi %g%+gi %d\n", creal(p), cimag(p), creal(q), cimag(q), isinf(creal(r)) != 0);
  // CHECK: 5+5i 0.1+0.7i 1
  volatile __int128 n = (__int128)1 << 100;
  volatile unsigned __int128 u = (unsigned __int128)-1;
  printf("%lld %lld %.0Lf\n", (long long)(n / 1000000007), (long long)(u % 1000000007), (long double)n);
  // CHECK: -5174749731283799491 279632276 1267650600228229401496703205376
  volatile long double two = 2;
  printf("%.18Lf %.18Lf %.10f %.6f\n", sqrtl(two), expl(1), fma(2, 3, 4), remainder(5.3, 2));
  // CHECK: 1.414213562373095049 2.718281828459045235 10.0000000000 -0.700000
  printf("%ld %g %g %g\n", lrint(2.5), floor(-1.5), nearbyint(3.5), cbrt(27)); // CHECK: 2 -2 4 3
  struct large local = {{1, 2, 3}};
  shared = local;
  struct large copy = shared;
  printf("%d\n", copy.values[2]); // CHECK: 3
  return 0;
}
