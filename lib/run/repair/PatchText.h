// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patches, for people and for programs.
#ifndef FATHOM_RUN_PATCHTEXT_H
#define FATHOM_RUN_PATCHTEXT_H

#include "run/repair/MakePatches.h"
#include "run/repair/RankPatches.h"

#include <string>

namespace fathom::run {

std::string madeText(const RepairRequest &request, const MadePatches &made);
std::string madeJson(const RepairRequest &request, const MadePatches &made);

std::string rankedText(const RankedPatches &all);
std::string rankedJson(const RankedPatches &all);

/// Its probability of being right, as the order has it.
double combinedOf(const RankedPatch &patch);

} // namespace fathom::run
#endif
