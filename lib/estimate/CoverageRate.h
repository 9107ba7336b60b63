// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extrapolation of the rate at which new elements come, along its trend. The rate after m units is
// E[Q1(m)]/m (Good and Turing), averaged over all orders of the units, which has a closed form; it
// usually falls as a power c m^-beta, and its integral says what further units bring. With beta <=
// 1 the integral grows without bound: then the data tell of no finite number of elements yet, an
// answer that no richness estimator gives.
#ifndef FATHOM_ESTIMATE_COVERAGERATE_H
#define FATHOM_ESTIMATE_COVERAGERATE_H

#include "estimate/Incidence.h"

namespace fathom::estimate {

/// Expected number of singletons among m of the t units. REQUIRES 1 <= m <= t.
double rarefiedSingletons(const FrequencyCounts &counts, uint64_t m);

struct RateTrend {
  double rate = 0;     ///< fitted new elements per unit at t
  double exponent = 0; ///< beta
  double residual = 0; ///< root mean square of the fit, in the logarithm
  uint64_t units = 0;  ///< t
  uint64_t observed = 0;

  /// New elements in the next `more` units; finite for every finite number of units.
  double expectedNew(double more) const;
  /// Observed and all that are still to come; nothing when beta <= 1.
  std::optional<double> asymptote() const;
};

/// A line through log rate against log m at 24 places from t/4 to t. Nothing with fewer than eight
/// units or without singletons. Source: the idea of [coveragerate24]; theirs simulates the orders.
/// Assumes: exchangeable units; a trend that goes on. Cost: O(distinct frequencies).
std::optional<RateTrend> rateTrend(const FrequencyCounts &counts);

} // namespace fathom::estimate
#endif
