// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accumulation curve: how many elements a campaign of m units covers; for m below the observed
// t by rarefaction (exact averages over all choices of m units), beyond it by extrapolation towards
// Chao2. Extrapolation is reliable to about twice the observed units.
#ifndef FATHOM_ESTIMATE_ACCUMULATION_H
#define FATHOM_ESTIMATE_ACCUMULATION_H

#include "estimate/Estimate.h"

#include "support/Rng.h"

#include <span>

namespace fathom::estimate {

/// Chao2's estimate of the elements not covered; 0 for one unit or none.
double unseenByChao2(const FrequencyCounts &counts);

/// Expected number of elements after `units` units. Source: [colwell12]; [chaojost12].
/// Cost: O(distinct frequencies).
double accumulated(const FrequencyCounts &counts, uint64_t units);

/// New elements expected in the next `units` units.
double expectedNew(const FrequencyCounts &counts, uint64_t units);

/// How many more units it takes until `share` (between 0 and 1) of the elements that Chao2
/// estimates are covered; 0 when they are. Nothing for a share of 1 with elements missing.
std::optional<double> unitsToReach(const FrequencyCounts &counts, double share);

struct CurvePoint {
  uint64_t units = 0;
  double value = 0, se = 0;
};

struct Outlook {
  std::vector<CurvePoint> curve; ///< at the units that were asked for
  /// New elements in the next units, with a log-normal interval. Status `fallback` with the value 0
  /// where nothing points to new elements.
  Estimate expectedNew;
};

/// The curve at the places `at`, and what the next `ahead` units bring, with standard errors by a
/// bootstrap of `replicates` from estimated detection probabilities (observed elements: shrunk,
/// unseen ones: equal). Source: [colwell12], [chaojost12]. Cost: O(replicates * (D + places *
/// distinct frequencies)).
Outlook outlook(const FrequencyCounts &counts, std::span<const uint64_t> at, uint64_t ahead,
                unsigned replicates, Rng &rng);

/// One campaign as long as the observed one, drawn from the estimated detection probabilities.
FrequencyCounts drawCampaign(const FrequencyCounts &counts, Rng &rng);

} // namespace fathom::estimate
#endif
