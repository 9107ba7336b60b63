/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Complex multiplication and division, which clang emits as calls (C11 annex G.5.1). The other
 * functions of compiler-rt are only called by machine code, never by bitcode.
 */
#define INF(x) __builtin_isinf(x)
#define NAN_(x) __builtin_isnan(x)

#define COMPLEX_MUL(name, T, copysign_, huge)                                                      \
  T _Complex name(T a, T b, T c, T d) {                                                            \
    T ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                              \
    T re = ac - bd, im = ad + bc;                                                                  \
    if (NAN_(re) && NAN_(im)) { /* an infinity may have been lost in the plain formula */          \
      int recalculate = 0;                                                                         \
      if (INF(a) || INF(b)) {                                                                      \
        a = copysign_(INF(a) ? 1 : 0, a), b = copysign_(INF(b) ? 1 : 0, b);                        \
        if (NAN_(c)) c = copysign_(0, c);                                                          \
        if (NAN_(d)) d = copysign_(0, d);                                                          \
        recalculate = 1;                                                                           \
      }                                                                                            \
      if (INF(c) || INF(d)) {                                                                      \
        c = copysign_(INF(c) ? 1 : 0, c), d = copysign_(INF(d) ? 1 : 0, d);                        \
        if (NAN_(a)) a = copysign_(0, a);                                                          \
        if (NAN_(b)) b = copysign_(0, b);                                                          \
        recalculate = 1;                                                                           \
      }                                                                                            \
      if (!recalculate && (INF(ac) || INF(bd) || INF(ad) || INF(bc))) {                            \
        if (NAN_(a)) a = copysign_(0, a);                                                          \
        if (NAN_(b)) b = copysign_(0, b);                                                          \
        if (NAN_(c)) c = copysign_(0, c);                                                          \
        if (NAN_(d)) d = copysign_(0, d);                                                          \
        recalculate = 1;                                                                           \
      }                                                                                            \
      if (recalculate) re = huge * (a * c - b * d), im = huge * (a * d + b * c);                   \
    }                                                                                              \
    T _Complex z;                                                                                  \
    __real__ z = re, __imag__ z = im;                                                              \
    return z;                                                                                      \
  }

#define COMPLEX_DIV(name, T, copysign_, fabs_, logb_, scalbn_, huge)                               \
  T logb_(T);                                                                                      \
  T scalbn_(T, int);                                                                               \
  T _Complex name(T a, T b, T c, T d) {                                                            \
    int scale = 0;                                                                                 \
    T larger = fabs_(c) > fabs_(d) || NAN_(d) ? fabs_(c) : fabs_(d);                               \
    T log = logb_(larger);                                                                         \
    if (__builtin_isfinite(log)) {                                                                 \
      scale = (int)log;                                                                            \
      c = scalbn_(c, -scale), d = scalbn_(d, -scale);                                              \
    }                                                                                              \
    T denominator = c * c + d * d;                                                                 \
    T re = scalbn_((a * c + b * d) / denominator, -scale);                                         \
    T im = scalbn_((b * c - a * d) / denominator, -scale);                                         \
    if (NAN_(re) && NAN_(im)) {                                                                    \
      if (denominator == 0 && (!NAN_(a) || !NAN_(b))) {                                            \
        re = copysign_(huge, c) * a, im = copysign_(huge, c) * b;                                  \
      } else if ((INF(a) || INF(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {           \
        a = copysign_(INF(a) ? 1 : 0, a), b = copysign_(INF(b) ? 1 : 0, b);                        \
        re = huge * (a * c + b * d), im = huge * (b * c - a * d);                                  \
      } else if (INF(log) && log > 0 && __builtin_isfinite(a) && __builtin_isfinite(b)) {          \
        c = copysign_(INF(c) ? 1 : 0, c), d = copysign_(INF(d) ? 1 : 0, d);                        \
        re = 0 * (a * c + b * d), im = 0 * (b * c - a * d);                                        \
      }                                                                                            \
    }                                                                                              \
    T _Complex z;                                                                                  \
    __real__ z = re, __imag__ z = im;                                                              \
    return z;                                                                                      \
  }

COMPLEX_MUL(__mulsc3, float, __builtin_copysignf, __builtin_huge_valf())
COMPLEX_MUL(__muldc3, double, __builtin_copysign, __builtin_huge_val())
COMPLEX_MUL(__mulxc3, long double, __builtin_copysignl, __builtin_huge_vall())
COMPLEX_DIV(__divsc3, float, __builtin_copysignf, __builtin_fabsf, logbf, scalbnf,
            __builtin_huge_valf())
COMPLEX_DIV(__divdc3, double, __builtin_copysign, __builtin_fabs, logb, scalbn,
            __builtin_huge_val())
COMPLEX_DIV(__divxc3, long double, __builtin_copysignl, __builtin_fabsl, logbl, scalbnl,
            __builtin_huge_vall())
