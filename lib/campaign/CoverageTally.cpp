// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/CoverageTally.h"

#include <algorithm>

namespace fathom::campaign {

CoverageTally::CoverageTally(const MapLayout &layout)
    : sides_(layout.sides), found_(layout.elements(), false) {}

void CoverageTally::add(const StoredUnit &unit) {
  for (uint32_t element : unit.nonFuzzing) found_[element] = true;
  for (uint32_t element : unit.elements) found_[element] = true;
  rest_ = {};
  if (!unit.complete) {
    rest_ = unit.executions;
    return;
  }
  for (size_t stage = 0; stage < FATHOM_STAGES; ++stage) complete_[stage] += unit.executions[stage];
  ++units_;
  seconds_ += unit.seconds;
}

CoverageCounts CoverageTally::counts() const {
  CoverageCounts counts;
  for (size_t stage = 0; stage < FATHOM_STAGES; ++stage)
    counts.stages[stage] = complete_[stage] + rest_[stage];
  counts.units = units_;
  if (units_) counts.unitSeconds = seconds_ / static_cast<double>(units_);
  const auto blocks = found_.begin() + static_cast<ptrdiff_t>(sides_);
  counts.sidesFound = static_cast<uint64_t>(std::count(found_.begin(), blocks, true));
  counts.blocksFound = static_cast<uint64_t>(std::count(blocks, found_.end(), true));
  counts.sidesTotal = sides_;
  counts.blocksTotal = found_.size() - sides_;
  return counts;
}

} // namespace fathom::campaign
