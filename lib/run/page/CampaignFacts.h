// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a campaign.db holds, for the sections of a page: read once.
#ifndef FATHOM_RUN_PAGE_CAMPAIGNFACTS_H
#define FATHOM_RUN_PAGE_CAMPAIGNFACTS_H

#include "campaign/SqliteStore.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run::page {

struct CampaignFacts {
  struct Edge {
    uint32_t from = 0, to = 0; ///< blocks
    std::optional<uint32_t> side;
  };
  struct Moment {
    double seconds = 0;
    uint64_t sides = 0; ///< that anything covered until then
  };
  std::string folder, program;
  std::vector<campaign::ElementPlace> sides, blocks, statements;
  std::vector<std::vector<uint32_t>> blocksOfStatement; ///< by number of block
  std::vector<Edge> edges;
  uint64_t units = 0;                              ///< complete ones
  std::vector<uint64_t> unitsOfSide, unitsOfBlock; ///< complete units whose fuzzing covered it
  std::vector<bool> isCoveredSide, isCoveredBlock; ///< by any execution
  std::vector<Moment> moments;                     ///< at the end of each unit
  uint64_t executions = 0;
};

/// Errors: the database is missing, damaged, or of another version.
llvm::Expected<CampaignFacts> readCampaignFacts(const std::string &folder);

} // namespace fathom::run::page
#endif
