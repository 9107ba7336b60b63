// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// covnew: the states nearest to the own instructions that no path has reached.
#include "explore/search/SearcherTable.h"

#include "explore/search/NearestPlace.h"

namespace fathom::explore {

std::unique_ptr<Searcher> makeCoverNew(const SearcherOptions &options, std::string &) {
  return makeNearestPlace(options, uncoveredCode(options.interpreter), /*movingTargets=*/true);
}

} // namespace fathom::explore
