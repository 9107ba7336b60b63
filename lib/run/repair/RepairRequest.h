// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_RUN_REPAIRREQUEST_H
#define FATHOM_RUN_REPAIRREQUEST_H

#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace fathom::run {

/// What is to be repaired, and how.
struct RepairRequest {
  std::vector<std::string> programs;
  std::vector<std::string> tests; ///< shell commands
  std::string source, build;      ///< the folder of the sources ("": here); a command ("": none)
  std::string at;                 ///< FILE:LINE, where patches are made
  std::string rank;               ///< instead: a folder of patches to order
  std::string campaign;           ///< of fathom fuzz --state-samples; "": none
  std::chrono::milliseconds testTime{10000}, maxTime{0};
  std::chrono::milliseconds exploreTime{5000}; ///< of one patch; 0: nothing is explored
  uint64_t testMemoryBytes = uint64_t(4) << 30;
  unsigned depth = 4;            ///< of expressions
  uint64_t maxCandidates = 1000; ///< of one place
  uint64_t keep = 10;            ///< patches
  std::string output = "fathom-out";
  bool force = false; ///< replace an earlier run's patches
};

/// A UsageError: what it says contradicts itself, or is out of range.
llvm::Error validate(const RepairRequest &request);

} // namespace fathom::run
#endif
