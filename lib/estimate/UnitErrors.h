// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standard errors that do not take elements for independent. The published ones do; but one rare
// input covers a whole block of elements at once, and then they are far too small. Here whole
// units, or blocks of consecutive units, are what varies: left out one after the other (jackknife),
// or drawn with replacement (bootstrap), with the estimator computed again each time.
//
// The jackknife errs on the safe side (Efron and Stein): for estimators made of singletons and
// doubletons it can be twice what it should be. The bootstrap is nearer, but draws some units
// several times, which makes singletons into doubletons and biases what is computed of it: its
// spread is usable, its percentiles are not. Where elements come in blocks that are always covered
// together, designEffect (Blocks.h) is nearer still, and costs nothing; these two hold for any kind
// of dependence between elements.
#ifndef FATHOM_ESTIMATE_UNITERRORS_H
#define FATHOM_ESTIMATE_UNITERRORS_H

#include "estimate/Estimate.h"

#include "support/Rng.h"

#include <functional>

namespace fathom::estimate {

using CountEstimator = std::function<Estimate(const FrequencyCounts &)>;

/// Delete-one-block jackknife standard error; blocks of `blockUnits` consecutive units, the last
/// t mod blockUnits units are never left out. Nothing with fewer than three blocks, or when the
/// estimator gives no value for one of the reduced campaigns. Cost: O(incidences + blocks *
/// (estimator + distinct frequencies)).
std::optional<double> unitJackknifeError(const IncidenceMatrix &matrix,
                                         const CountEstimator &estimator, uint32_t blockUnits = 1);

/// Standard deviation over `replicates` campaigns of t units drawn with replacement, in circular
/// blocks of `blockUnits`. Replicates without a value are left out; nothing when more than half
/// are. Cost: O(replicates * (incidences + estimator)).
std::optional<double> unitBootstrapError(const IncidenceMatrix &matrix,
                                         const CountEstimator &estimator, unsigned replicates,
                                         Rng &rng, uint32_t blockUnits = 1);

/// The estimate with another standard error: its log-normal interval above what was observed.
/// Estimates without a value, and those that equal the observed count, stay as they are.
Estimate withError(Estimate estimate, double observed, double se);

} // namespace fathom::estimate
#endif
