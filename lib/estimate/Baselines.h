// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an estimator has to be better than: answers that look at nothing of a campaign but how many
// elements it covered.
//
//   constant share   D + c (N - D): of what is neither covered nor proved unreachable, the share c
//                    that can be reached on average over the campaigns of the calibration. Its
//                    interval takes the quantiles of their shares instead of c.
//   all of them      N: everything that is not proved unreachable
//
// Both need the number of elements that there are, N, and never refuse where it is known.
#ifndef FATHOM_ESTIMATE_BASELINES_H
#define FATHOM_ESTIMATE_BASELINES_H

#include "estimate/Calibration.h"

namespace fathom::estimate {

/// \param elements  as in calibrated().
/// Statuses: NotEstimable when nothing says how many elements there are, or nothing was covered;
/// Fallback when all are covered. No standard error.
Estimate constantShare(const Incidence &data, std::optional<double> elements = std::nullopt,
                       const Calibration &calibration = builtinCalibration());

/// The same statuses; VarianceUnavailable where there is a value: it is a bound and has no
/// interval.
Estimate allElements(const Incidence &data, std::optional<double> elements = std::nullopt);

} // namespace fathom::estimate
#endif
