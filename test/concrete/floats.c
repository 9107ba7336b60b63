// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Arithmetic, comparisons and conversions of float, double, long double and _Float16, with infinities, NaNs and denormals.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const double kValues[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.14159265358979, 1e10, -1e-10, 1e300, 1e-300, 123456789.125, 65504, 4e-8, 1.0 / 3};

static void bits(const void *p, unsigned n) {
  const unsigned char *b = p;
  while (n--) printf("%02x", b[n]);
  putchar(' ');
}

#define TYPE(T, SIZE, NAME)                                                                                              \
  static void test_##NAME(void) {                                                                                        \
    puts(#T);                                                                                                            \
    for (unsigned i = 0; i < sizeof kValues / sizeof *kValues; i++)                                                      \
      for (unsigned j = 0; j < sizeof kValues / sizeof *kValues; j++) {                                                  \
        volatile T a = (T)kValues[i], b = (T)kValues[j];                                                                 \
        T r[] = {a + b, a - b, a * b, b != 0 ? a / b : (T)0, -a, a += (T)1, a -= b};                                     \
        unsigned long long h = 0;                                                                                        \
        for (unsigned k = 0; k < sizeof r / sizeof *r; k++)                                                              \
          if (r[k] == r[k]) {                                                                                            \
            unsigned char m[16] = {0};                                                                                   \
            memcpy(m, &r[k], SIZE);                                                                                      \
            for (unsigned l = 0; l < SIZE; l++) h = h * 31 + m[l];                                                       \
          } else                                                                                                         \
            h = h * 31 + 1;                                                                                              \
        printf("%llx %d%d%d%d%d%d\n", h, a < b, a <= b, a > b, a >= b, a == b, a != b);                                  \
      }                                                                                                                  \
    volatile T zero = 0, one = 1;                                                                                        \
    T inf = one / zero, nan = inf - inf;                                                                                 \
    printf("%d %d %d %d %d\n", inf > one, -inf < one, nan == nan, nan < one, !(nan > one));                              \
    printf("%d %d\n", __builtin_isunordered(nan, one), __builtin_isless(one, inf));                                      \
    T v = (T)-77.75;                                                                                                     \
    volatile T *pv = &v;                                                                                                 \
    printf("%d %lld %u %d %d\n", (int)*pv, (long long)*pv, (unsigned)-*pv, (signed char)*pv, (short)*pv);                \
    volatile int i = -123;                                                                                               \
    volatile unsigned u = 2999;                                                                                          \
    volatile long long l = -1234567;                                                                                     \
    volatile unsigned long long ul = 50000;                                                                              \
    volatile _Bool t = 1;                                                                                                \
    T c[] = {(T)i, (T)u, (T)(l / 100), (T)ul, (T)t};                                                                     \
    for (int k = 0; k < 5; k++) bits(&c[k], SIZE);                                                                       \
    puts("");                                                                                                            \
  }
TYPE(float, 4, f)
TYPE(double, 8, d)
TYPE(long double, 10, ld)
TYPE(_Float16, 2, h)

int main(void) {
  test_f(), test_d(), test_ld(), test_h();
  volatile double d = 1e200;
  volatile long double ld = 1.0L / 3;
  volatile float f = 16777217.0f;
  volatile __int128 wide = (__int128)1 << 100 | 12345;
  double fromWide = (double)wide;
  long double lfromWide = (long double)-wide;
  bits(&fromWide, 8), bits(&lfromWide, 10);
  printf("%d %d\n", (__int128)ld == 0, (long long)((__int128)(d / 1e170) >> 64));
  float down = (float)ld;
  double down2 = (double)ld;
  long double up = f;
  _Float16 half = (_Float16)0.1;
  float upHalf = half;
  bits(&down, 4), bits(&down2, 8), bits(&up, 10), bits(&half, 2), bits(&upHalf, 4);
  puts("");
  printf("%a %La %d %d\n", d, ld, FLT_DIG, LDBL_MANT_DIG);
  volatile double denormal = DBL_MIN / 8, huge = DBL_MAX;
  printf("%a %a %d %d\n", denormal * 3, huge * 2, isinf(huge * 2), isnormal(denormal));
  printf("%d %d %d\n", fpclassify(denormal), signbit(-denormal) != 0, isfinite(huge));
  return (int)f % 256;
}
