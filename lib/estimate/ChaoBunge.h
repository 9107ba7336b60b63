// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chao and Bunge's estimator: the mean frequencies of elements vary as a gamma distribution, and
// the share of duplicates among the infrequent elements tells how many are missing. Does not look
// at t.
#ifndef FATHOM_ESTIMATE_CHAOBUNGE_H
#define FATHOM_ESTIMATE_CHAOBUNGE_H

#include "estimate/Estimate.h"

namespace fathom::estimate {

/// What the log-normal interval is put on: the unseen elements (published), or everything but the
/// observed infrequent ones (the package SPECIES, whose lower end can be below D).
enum class ChaoBungeBand { Unseen, Species };
/// The total in the multinomial covariance: of the infrequent part (SPECIES), or of all
/// (breakaway).
enum class ChaoBungeTotal { Infrequent, Whole };
struct ChaoBungeOptions {
  uint64_t cutoff = 10; ///< k0
  ChaoBungeBand band = ChaoBungeBand::Unseen;
  ChaoBungeTotal total = ChaoBungeTotal::Infrequent;
  FallbackForm fallback = FallbackForm::Sound;
};

/// D_f + A2/theta, A2 the elements with 2 <= Y <= k0, theta = 1 - Q1 sum(k^2 Q_k)/(sum(k Q_k))^2,
/// sums to k0. Not estimable when theta <= 0 (too many singletons, as early in a campaign) or A2 =
/// 0; packages print a negative number then, which is kept in `raw`. Source: [chaobunge02] eq. (2).
Estimate chaoBunge(const FrequencyCounts &counts, const ChaoBungeOptions &options = {});

} // namespace fathom::estimate
#endif
