// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control flow of an explored program, which its results folder does not hold: read from the
// program again, with what the folder knows of its coverage.
#ifndef FATHOM_RUN_PAGE_EXPLORATIONFLOW_H
#define FATHOM_RUN_PAGE_EXPLORATIONFLOW_H

#include "run/page/CampaignFacts.h"
#include "run/page/PageSource.h"

namespace fathom::run::page {

/// Facts as of a campaign without units. After a replay, sides are those that tests took. Without,
/// lines tell: a side counts as covered unless a line that was never executed begins behind it.
///
/// Errors: the program is gone, or is another one now. Cost: that of reading the program.
llvm::Expected<CampaignFacts> flowOfExploration(const Part &part, const CoverageBook &book,
                                                const PageData &data);

} // namespace fathom::run::page
#endif
