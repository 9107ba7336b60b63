// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair --rank: orders patches that others made.
#ifndef FATHOM_RUN_RANKPATCHES_H
#define FATHOM_RUN_RANKPATCHES_H

#include "repair/Rank.h"
#include "run/repair/RepairProgram.h"

namespace fathom::run {

struct RankedPatch {
  std::string path; ///< absolute
  std::string name;
  std::optional<double> score, normalised;
  std::string rejected; ///< why; "": it is in the order
  bool isTested = false;
  std::optional<TestFailure> failure; ///< why, if it is a test
  std::optional<repair::UnchangedProbability> unchanged;
  size_t alone = 0; ///< place by Eq. 12, from 1
};

struct RankedPatches {
  std::vector<RankedPatch> ranked, rejected;
  bool hasScores = false;
  size_t failing = 0; ///< tests, before any patch
};

/// A UsageError: an input cannot be read, or does not build. Where an interrupt ended it, what was
/// looked at until then is not in an order.
llvm::Expected<RankedPatches> rankPatches(const RepairRequest &request, Session &session);

} // namespace fathom::run
#endif
