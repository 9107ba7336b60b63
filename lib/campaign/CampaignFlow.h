// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control flow of a campaign's program with what the campaign covered of it, and which
// uncovered branch sides are nearest.
#ifndef FATHOM_CAMPAIGN_CAMPAIGNFLOW_H
#define FATHOM_CAMPAIGN_CAMPAIGNFLOW_H

#include "campaign/SqliteStore.h"
#include "estimate/ReachProbability.h"

#include <string>
#include <vector>

namespace fathom::campaign {

/// Which units, and what of them.
struct UnitSelection {
  StageSelection stages = StageSelection::Fuzzing;
  uint32_t first = 0;  ///< the number of units to use, from the first on; 0: all
  uint32_t joined = 1; ///< consecutive units that count as one; a shorter rest is left out
};

struct Target {
  std::string name;  ///< as in readCampaign
  double chance = 0; ///< that one more unit covers it
};

struct CampaignTargets {
  std::vector<Target> nearest; ///< branch sides, the most likely ones first
  double expected = 0;         ///< new branch sides in `ahead` more units
};

/// The `most` nearest ones that have any chance. `ahead` 0: as many units as there were.
/// Errors: as readCampaign. Cost: what the database holds, and reachProbabilities.
llvm::Expected<CampaignTargets> nearestTargets(const std::string &path,
                                               const UnitSelection &selection, size_t most,
                                               uint64_t ahead);

} // namespace fathom::campaign
#endif
