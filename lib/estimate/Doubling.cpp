// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Doubling.h"

#include "estimate/Accumulation.h"

#include <algorithm>
#include <numeric>

namespace fathom::estimate {

Gain gainAfter(double late, std::optional<double> atMost) {
  const double value = late + 1;
  Gain gain{value, {std::max(0.0, value / kGainFactor - 1), value * kGainFactor}};
  if (!atMost) return gain;
  // Fewer are left than the prediction: it says nothing of how few of them come.
  if (*atMost < value) gain.range.lower = 0;
  gain.value = std::min(value, *atMost);
  gain.range.upper = std::min(gain.range.upper, *atMost);
  return gain;
}

std::optional<Gain> gainOfDoubling(const FrequencyCounts &counts, const UnitSeries *series,
                                   std::optional<double> atMost) {
  const uint64_t t = counts.units();
  if (t < kLeastUnitsOfGain) return std::nullopt;
  if (!series) return gainAfter(expectedNew(counts, t), atMost);
  const auto &found = series->discovered;
  const auto half = found.begin() + static_cast<std::ptrdiff_t>(t / 2);
  return gainAfter(static_cast<double>(std::accumulate(half, found.end(), uint64_t{0})), atMost);
}

bool isWorthGoingOn(double gain, double covered) { return gain >= std::max(2.0, 0.002 * covered); }

} // namespace fathom::estimate
