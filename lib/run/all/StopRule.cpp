// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/StopRule.h"

#include "estimate/Doubling.h"

namespace fathom::run {

void StopRule::found(double seconds, uint64_t sides) {
  if (!sides) return;
  found_.push_back({seconds, sides});
  covered_ += sides;
}

double StopRule::predictedGain(double seconds) const {
  uint64_t late = 0;
  for (const Found &f : found_)
    if (f.seconds > seconds / 2) late += f.sides;
  return estimate::gainAfter(static_cast<double>(late)).value;
}

bool StopRule::isEnough(double seconds) const {
  if (seconds < kLeast) return false;
  return !estimate::isWorthGoingOn(predictedGain(seconds), static_cast<double>(covered_));
}

} // namespace fathom::run
