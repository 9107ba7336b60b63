// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few probability distributions that estimates and their tests need. Accurate to about 1e-12
// relative, tails included, unless said otherwise.
#ifndef FATHOM_ESTIMATE_DISTRIBUTIONS_H
#define FATHOM_ESTIMATE_DISTRIBUTIONS_H

#include "support/Rng.h"

#include <cstdint>

namespace fathom::estimate {

/// P(Z <= z) of the standard normal.
double normalCdf(double z);
/// The z with normalCdf(z) = p; infinite at 0 and 1.
double normalQuantile(double p);
/// The quantile at (1 + level) / 2: 1.96 for 0.95. REQUIRES 0 < level < 1.
double normalCriticalValue(double level);

/// Regularised incomplete beta function I_x(a, b); a, b > 0, 0 <= x <= 1.
double betaCdf(double x, double a, double b);
/// The x with betaCdf(x, a, b) = p.
double betaQuantile(double p, double a, double b);

/// P(|T| >= |t|) of Student's t; df > 0 need not be whole.
double studentTwoSided(double t, double df);
/// The t with P(|T| <= t) = level.
double studentCriticalValue(double level, double df);

/// Uniform in (0, 1), 53 bits.
double uniform01(Rng &rng);
/// Exact. Inversion for small means, otherwise transformed rejection (W. Hörmann, 1993, BTRS).
/// Cost: O(1) expected.
uint64_t binomial(uint64_t n, double p, Rng &rng);

} // namespace fathom::estimate
#endif
