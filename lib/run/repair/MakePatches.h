// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair --at: makes patches at a place.
#ifndef FATHOM_RUN_MAKEPATCHES_H
#define FATHOM_RUN_MAKEPATCHES_H

#include "run/repair/RepairHole.h"

#include <string>
#include <vector>

namespace fathom::run {

struct MadePatch {
  size_t hole = 0;
  Survivor survivor;
  std::optional<repair::UnchangedProbability> unchanged;
  std::string diff, file; ///< file: written to
  std::string rejected;   ///< why; "": it is a patch
};

struct MadePatches {
  std::string function;
  size_t failing = 0; ///< tests, before any patch
  std::vector<HoleReport> holes;
  std::vector<MadePatch> patches, rejected, left; ///< best first; left: not checked
  size_t exploredRuns = 0;
  bool hasCampaign = false;
};

/// Writes the patches to the folder of the request. A UsageError: an input cannot be read, does not
/// build, or needs no patch. Where an interrupt ended it, what there is until then, or such an
/// error.
llvm::Expected<MadePatches> makePatches(const RepairRequest &request, Session &session);

} // namespace fathom::run
#endif
