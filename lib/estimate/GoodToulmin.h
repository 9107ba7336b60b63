// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Good and Toulmin's estimate of what further units bring, without any model of rarity: an
// alternating sum over the counts, -sum_k (-a)^k Q_k, for a campaign that goes on for a times its
// length. Up to a = 1 it is unbiased; beyond, its terms explode, and smoothing cuts them off at a
// random place.
#ifndef FATHOM_ESTIMATE_GOODTOULMIN_H
#define FATHOM_ESTIMATE_GOODTOULMIN_H

#include "estimate/Incidence.h"

namespace fathom::estimate {

/// New elements expected in the next `more` units. Up to t units Good and Toulmin's sum; beyond,
/// smoothed with a binomial tail: k0 = log2(t a^2/(a-1))/2 trials of probability 2/(2+a). Usable to
/// about log(t) times the campaign. Never negative. 0 units: 0. Source: [orlitsky16] (binomial
/// smoothing). Assumes: frequencies small against t (Poisson). Cost: O(distinct frequencies).
double goodToulmin(const FrequencyCounts &counts, uint64_t more);

} // namespace fathom::estimate
#endif
