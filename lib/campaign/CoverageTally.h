// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the units of a campaign add up to: executions, time, elements found.
#ifndef FATHOM_CAMPAIGN_COVERAGETALLY_H
#define FATHOM_CAMPAIGN_COVERAGETALLY_H

#include "campaign/MapLayout.h"
#include "campaign/SqliteStore.h"

#include <cstdint>
#include <vector>

namespace fathom::campaign {

/// What is known of the units that are stored.
struct CoverageCounts {
  StageCounts stages{};   ///< executions
  uint64_t units = 0;     ///< complete ones
  double unitSeconds = 0; ///< mean length
  uint64_t sidesFound = 0, sidesTotal = 0;
  uint64_t blocksFound = 0, blocksTotal = 0;
};

class CoverageTally {
public:
  explicit CoverageTally(const MapLayout &layout);
  /// A complete unit counts for good; one that is not, until the next unit is added, which is the
  /// same unit, complete. Found is found, in any stage.
  void add(const StoredUnit &unit);
  /// O(elements).
  CoverageCounts counts() const;
  uint64_t units() const { return units_; } ///< complete ones

private:
  uint32_t sides_;
  std::vector<bool> found_; ///< by element
  StageCounts complete_{}, rest_{};
  uint64_t units_ = 0;
  double seconds_ = 0;
};

} // namespace fathom::campaign
#endif
