// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over the units of a campaign: executions, time, elements found.
#ifndef FATHOM_CAMPAIGN_COVERAGETALLY_H
#define FATHOM_CAMPAIGN_COVERAGETALLY_H

#include "campaign/MapLayout.h"
#include "campaign/SqliteStore.h"

#include <cstdint>
#include <vector>

namespace fathom::campaign {

/// Sums over the units that were added.
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
  /// An incomplete unit is provisional: the next unit must be the same one, and its numbers of
  /// executions replace those of the incomplete one. An element counts as found whichever AFL++
  /// stage covered it.
  void add(const StoredUnit &unit);
  /// O(elements).
  CoverageCounts counts() const;
  /// By element, sides first: was it found?
  const std::vector<bool> &found() const { return found_; }
  uint32_t sides() const { return sides_; }
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
