// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far up an interval has to go at least. Published errors follow from the counts alone, and
// where nothing is rare they are zero: a campaign that stands still for a while gets an interval of
// one point, and then goes on. Two things that hold without a model of rarity set a floor:
//
//   - what campaigns miss that are made of blocks of this one's consecutive units, drawn with
//     replacement. What was found late, and is covered ever since, is in more than two units, which
//     no estimator calls rare, and missing in a good part of them. (Elements in one or two are what
//     estimates are made of; how those of resamples spread is not used: see UnitErrors.h.)
//   - what as many units again may find although the units that there were tell nothing of it: the
//     chance that a unit finds something new has an upper confidence bound above the point
//     estimate, even without a singleton (the rule of three).
//
// Neither knows of code that no campaign like this one finds: that is what calibration is for.
#ifndef FATHOM_ESTIMATE_RESAMPLING_H
#define FATHOM_ESTIMATE_RESAMPLING_H

#include "estimate/Blocks.h"
#include "estimate/SampleCoverage.h"

#include "support/Rng.h"

namespace fathom::estimate {

/// Stream of the generator that draws parts: the same seed gives the same parts.
inline constexpr uint64_t kReachStream = 22;

/// Where the upper end of every interval for what can be reached has to be at least.
class Reach {
public:
  /// No floor: of counts without units.
  Reach() = default;
  /// \param blocks     collapse(matrix).
  /// \param discovery  discoveryProbability(matrix, any level).
  /// Cost: O(incidences + replicates * classes).
  Reach(const Blocks &blocks, const DiscoveryProbability &discovery, Rng &rng);

  /// At a confidence level, with which it ascends. REQUIRES 0 <= level < 1.
  double operator()(double level) const;

  /// Into so many parts of consecutive units a campaign is divided. Fewer than kLeastParts units
  /// are not resampled.
  static constexpr uint32_t kParts = 16, kLeastParts = 4;

private:
  double observed_ = 0, units_ = 0, unitsWithSingleton_ = 0, size_ = 0;
  std::vector<double> missed_; ///< by resamples, ascending
};

} // namespace fathom::estimate
#endif
