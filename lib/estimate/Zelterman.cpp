// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Zelterman.h"

#include <cmath>

namespace fathom::estimate {

Estimate zelterman(const FrequencyCounts &counts, const ZeltermanOptions &options) {
  if (auto trivial = trivialOrNotEstimable(counts)) return *trivial;
  auto d = static_cast<double>(counts.observed()), t = static_cast<double>(counts.units());
  auto q1 = static_cast<double>(counts.count(1)), q2 = static_cast<double>(counts.count(2));
  if (q1 == 0) return logNormalEstimate(counts, d, 0, options.fallback);
  if (options.continuityRepair) {
    q1 += 0.5;
    q2 += 0.5;
  }
  if (q2 == 0)
    return notEstimable("no element was covered in exactly two units: the estimate is infinite");

  double unseen, unseenOdds, slope; // odds g of being unseen, and d log(g) / d log(lambda)
  if (options.model == ZeltermanModel::Poisson) {
    double lambda = 2 * q2 / q1, zero = std::exp(-lambda), one = -std::expm1(-lambda);
    unseen = d * zero / one;
    unseenOdds = zero / (one * one);
    slope = lambda;
  } else {
    double odds = 2 * q2 / ((t - 1) * q1), p = odds / (1 + odds);
    double zero = std::exp(-t * std::log1p(odds)), one = -std::expm1(-t * std::log1p(odds));
    unseen = d * zero / one;
    unseenOdds = zero / (one * one);
    slope = t * p;
  }
  double spread = d * unseenOdds;
  double variance = spread + spread * spread * slope * slope * (1 / q1 + 1 / q2);
  Estimate estimate = logNormalEstimate(counts, d + unseen, variance, options.fallback);
  if (estimate.status == Status::Ok && options.band != ZeltermanBand::LogNormal)
    estimate.band = Band::wald(
        d + unseen, *estimate.se,
        options.band == ZeltermanBand::Wald ? d : -std::numeric_limits<double>::infinity());
  return estimate;
}

} // namespace fathom::estimate
