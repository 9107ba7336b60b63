// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bootstrap estimator of species richness: what a resample of t units would miss of the
// observed elements is added to them. Always the smallest of the twelve; early in a campaign much
// too small. (Not a bootstrap standard error: that is UnitBootstrap.h.)
#ifndef FATHOM_ESTIMATE_SMITHVANBELLE_H
#define FATHOM_ESTIMATE_SMITHVANBELLE_H

#include "estimate/Estimate.h"

#include "support/Rng.h"

namespace fathom::estimate {

struct SmithVanBelleOptions {
  bool wald = false; ///< interval value -+ z se, cut at D, in place of the log-normal one
  FallbackForm fallback = FallbackForm::Sound;
  /// Pairs of elements that are looked at for the variance; with more it is not computed.
  uint64_t maxPairs = 1000000000;
};

/// D + sum (1 - Y_i/t)^t. The standard error needs the matrix (null: status variance_unavailable),
/// and leaves out part of the variation of D. No interval is published; ours is the log-normal one.
/// Source: [smithvanbelle84]. Cost: with the matrix, the pairs of different rows with Y <= 40 that
/// have a unit in common; rarer than that is what counts, since (1 - 40/t)^t < 1e-17.
Estimate smithVanBelle(const FrequencyCounts &counts, const IncidenceMatrix *matrix,
                       const SmithVanBelleOptions &options = {});

/// The resampled form of some studies: units are drawn t times with replacement, `rounds` times;
/// mean, standard deviation and mean -+ z sd. Systematically larger than the analytic value.
Estimate smithVanBelleResampled(const IncidenceMatrix &matrix, unsigned rounds, Rng &rng);

} // namespace fathom::estimate
#endif
