// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What blocks progress: sides of branches that executions came to and never took, and how much code
// is within reach behind each.
//
//   blocker   an uncovered side, not known to be unreachable, of a branch whose block is covered
//   behind    uncovered sides that control flow can come to from there, over blocks that are not
//             covered; sides behind two blockers count for both
#ifndef FATHOM_RUN_PAGE_PAGEBLOCKERS_H
#define FATHOM_RUN_PAGE_PAGEBLOCKERS_H

#include "run/page/CampaignFacts.h"
#include "run/page/PageSource.h"

namespace fathom::run::page {

/// So many are on a page, those with the most code behind them.
inline constexpr size_t kMostBlockers = 300;

/// Fills in `blockers`. `campaigns`: or explored programs (ExplorationFlow.h). REQUIRES that all
/// coverage is in the book, and the texts of files are read. Cost: O(different targets of blockers
/// * edges).
void collectBlockers(const std::vector<CampaignFacts> &campaigns, const CoverageBook &book,
                     PageData &data);

/// How one says in the source's words that a side is taken: a condition that begins with `!` is a
/// branch on what stands behind it, so the compiler's true is the source's false.
std::string wantedSide(const std::string &operand, bool isTrue);

} // namespace fathom::run::page
#endif
