// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// <math.h>: computed by libc's own code and by intrinsics (rounding, fma, copysign, minimum and maximum).
#include <complex.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>

static void show(const char *name, double v) { v == v ? printf("%s %a\n", name, v) : printf("%s nan\n", name); }

int main(void) {
  static const double values[] = {0, 0.3, 1, -1.5, 2.5, 10.125, -100.5, 1e-3};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    volatile double v = values[i];
    double x = v;
    show("sin", sin(x)), show("cos", cos(x)), show("tan", tan(x)), show("exp", exp(x)), show("atan", atan(x));
    show("log", log(fabs(x) + 1)), show("log2", log2(fabs(x) + 1)), show("log10", log10(fabs(x) + 1)), show("sqrt", sqrt(fabs(x))), show("cbrt", cbrt(x));
    show("pow", pow(fabs(x), 1.7)), show("fmod", fmod(x, 0.7)), show("remainder", remainder(x, 0.7)), show("hypot", hypot(x, 3)), show("sinh", sinh(x / 4));
    show("floor", floor(x)), show("ceil", ceil(x)), show("trunc", trunc(x)), show("round", round(x)), show("rint", rint(x)), show("nearbyint", nearbyint(x));
    show("fma", fma(x, 1.1, 0.1)), show("copysign", copysign(3, x)), show("fmin", fmin(x, 1)), show("fmax", fmax(x, 1)), show("fdim", fdim(x, 1));
    show("asin", asin(x / 200)), show("acos", acos(x / 200)), show("atan2", atan2(x, 2)), show("expm1", expm1(x)), show("log1p", log1p(fabs(x))), show("erf", erf(x)), show("tgamma", tgamma(fabs(x) + 0.5));
    int e;
    double whole;
    show("frexp", frexp(x, &e)), show("ldexp", ldexp(x, 5)), show("modf", modf(x, &whole)), show("whole", whole), show("nextafter", nextafter(x, 9));
    printf("%d %ld %lld %ld %d\n", e, lrint(x), llround(x), lround(x), ilogb(fabs(x) + 1));
    printf("%a %a %a\n", sinf((float)x), floorf((float)x), powf(fabsf((float)x), 0.5f));
    printf("%La %La %La\n", floorl(x), sqrtl(fabsl(x)), roundl(x));
  }
  double complex z = 1.5 + 2.0 * I, w = z * z / (z + 1);
  printf("%a %a %a\n", creal(w), cimag(w), cabs(z));
  return 0;
}
