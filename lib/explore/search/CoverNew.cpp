// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// covnew: the states nearest to the own instructions that no path has reached.
#include "explore/search/SearcherTable.h"

#include "explore/search/NearestPlace.h"

namespace fathom::explore {

std::unique_ptr<Searcher> makeCoverNew(const SearcherOptions &options, std::string &) {
  const Machine &machine = options.machine;
  return makeNearestPlace(
      options,
      [&machine](uint32_t function, uint32_t first, uint32_t) {
        const auto &f = machine.program().functions[function];
        return f.own && !machine.coverage.cover[f.coverBase + first];
      },
      /*movingTargets=*/true);
}

} // namespace fathom::explore
