// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is going on worth it? What is found later is found more and more slowly: in most campaigns about
// as much in the second half of the time as in the time that doubles it. So the gain of going on
// for as long again is predicted by what the second half brought, and one more, because nothing
// found is no proof of nothing left. Unlike an estimate of all that can be reached, such a
// prediction can be held against what came (bench/RESULTS.md, "What going on brings"): it is right
// on average, and off by a factor of two or more in four of ten campaigns.
#ifndef FATHOM_ESTIMATE_DOUBLING_H
#define FATHOM_ESTIMATE_DOUBLING_H

#include "estimate/Estimate.h"
#include "estimate/UnitSeries.h"

#include <optional>

namespace fathom::estimate {

/// What going on for as long again covers.
struct Gain {
  double value = 0;
  Interval range{}; ///< held in nine of ten campaigns of the calibration
};

/// Of the prediction, up and down. Chosen on the calibration's campaigns; the others hold as well.
inline constexpr double kGainFactor = 5;
/// Fewer units say nothing.
inline constexpr uint64_t kLeastUnitsOfGain = 8;

/// \param late   elements that the second half of the campaign was the first to cover.
/// \param atMost  no more are left than that.
Gain gainAfter(double late, std::optional<double> atMost = std::nullopt);
/// In the order of the units where the matrix has it. Counts alone: what rarity says of as many
/// units again (expectedNew, Accumulation.h) stands for the second half; it is as often right.
/// Nothing with fewer than kLeastUnitsOfGain units.
std::optional<Gain> gainOfDoubling(const FrequencyCounts &counts, const UnitSeries *series,
                                   std::optional<double> atMost);

/// Two elements at least, and at least two in a thousand of what is covered.
bool isWorthGoingOn(double gain, double covered);

} // namespace fathom::estimate
#endif
