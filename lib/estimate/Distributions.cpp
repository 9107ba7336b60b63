// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Distributions.h"

#include <cassert>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace fathom::estimate {

double normalCdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// A rational approximation (P. J. Acklam) with error 1e-9, then two of Halley's steps.
static double lowerNormalQuantile(double p) {
  static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                             1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
  static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                             6.680131188771972e+01, -1.328068155288572e+01};
  static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                             -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
  static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                             3.754408661907416e+00};
  double z;
  if (p < 0.02425) {
    double q = std::sqrt(-2 * std::log(p));
    z = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
        ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
  } else {
    double q = p - 0.5, r = q * q;
    z = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
        (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
  }
  for (int step = 0; step < 2; ++step) {
    double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    if (density == 0) break;
    double u = (normalCdf(z) - p) / density;
    z -= u / (1 + z * u / 2);
  }
  return z;
}

double normalQuantile(double p) {
  if (p <= 0) return -std::numeric_limits<double>::infinity();
  if (p >= 1) return std::numeric_limits<double>::infinity();
  return p <= 0.5 ? lowerNormalQuantile(p) : -lowerNormalQuantile(1 - p);
}

double normalCriticalValue(double level) {
  assert(level > 0 && level < 1 && "a confidence level");
  return -normalQuantile((1 - level) / 2);
}

/// The continued fraction of the incomplete beta function, by the modified Lentz method; converges
/// quickly for x < (a+1)/(a+b+2).
static double betaFraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  if (std::fabs(d) < kTiny) d = kTiny;
  d = 1 / d;
  double result = d;
  for (int m = 1; m < 100000; ++m) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double factor = 1;
    for (double term : {even, odd}) {
      d = 1 + term * d;
      if (std::fabs(d) < kTiny) d = kTiny;
      c = 1 + term / c;
      if (std::fabs(c) < kTiny) c = kTiny;
      d = 1 / d;
      factor = c * d;
      result *= factor;
    }
    if (std::fabs(factor - 1) < 1e-15) break;
  }
  return result;
}

double betaCdf(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) +
                          b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * betaFraction(x, a, b) / a;
  return 1 - front * betaFraction(1 - x, b, a) / b;
}

double betaQuantile(double p, double a, double b) {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  double low = 0, high = 1;
  for (int step = 0; step < 200 && high - low > 1e-16 * high; ++step) {
    double mid = (low + high) / 2;
    (betaCdf(mid, a, b) < p ? low : high) = mid;
  }
  return (low + high) / 2;
}

double studentTwoSided(double t, double df) {
  if (std::isinf(t)) return 0;
  return betaCdf(df / (df + t * t), df / 2, 0.5);
}

double studentCriticalValue(double level, double df) {
  double low = 0, high = 1;
  while (studentTwoSided(high, df) > 1 - level && high < 1e300) high *= 2;
  for (int step = 0; step < 300 && high - low > 1e-15 * high; ++step) {
    double mid = (low + high) / 2;
    (studentTwoSided(mid, df) > 1 - level ? low : high) = mid;
  }
  return (low + high) / 2;
}

double uniform01(Rng &rng) {
  uint64_t bits = (uint64_t(rng.next()) << 32 | rng.next()) >> 11;
  return (static_cast<double>(bits) + 0.5) * 0x1p-53;
}

/// Walks up the distribution function from 0; for n p up to about 30.
static uint64_t binomialByInversion(uint64_t n, double p, Rng &rng) {
  double odds = p / (1 - p), probability = std::exp(static_cast<double>(n) * std::log1p(-p));
  double u = uniform01(rng);
  uint64_t k = 0;
  while (u > probability && k < n) {
    u -= probability;
    probability *= odds * static_cast<double>(n - k) / static_cast<double>(k + 1);
    k++;
    if (probability == 0) break; // what is left of u is rounding
  }
  return k;
}

uint64_t binomial(uint64_t n, double p, Rng &rng) {
  if (n == 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - binomial(n, 1 - p, rng);
  auto count = static_cast<double>(n);
  if (count * p < 30) return binomialByInversion(n, p, rng);
  double deviation = std::sqrt(count * p * (1 - p));
  double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p;
  double centre = count * p + 0.5, vr = 0.92 - 4.2 / b;
  double alpha = (2.83 + 5.1 / b) * deviation, mode = std::floor((count + 1) * p);
  double atMode = std::lgamma(mode + 1) + std::lgamma(count - mode + 1);
  for (;;) {
    double u = uniform01(rng) - 0.5, v = uniform01(rng);
    double us = 0.5 - std::fabs(u);
    double k = std::floor((2 * a / us + b) * u + centre);
    if (us >= 0.07 && v <= vr) return static_cast<uint64_t>(k);
    if (k < 0 || k > count) continue;
    v = std::log(v * alpha / (a / (us * us) + b));
    if (v <= atMode - std::lgamma(k + 1) - std::lgamma(count - k + 1) +
                 (k - mode) * std::log(p / (1 - p)))
      return static_cast<uint64_t>(k);
  }
}

} // namespace fathom::estimate
