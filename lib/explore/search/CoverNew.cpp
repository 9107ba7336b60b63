// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// covnew: the states nearest to the own instructions that no path has reached.
#include "explore/search/SearcherTable.h"

#include "explore/search/NearestPlace.h"

namespace fathom::explore {

std::unique_ptr<Searcher> makeCoverNew(const SearcherOptions &options, std::string &) {
  const Interpreter &interpreter = options.interpreter;
  return makeNearestPlace(
      options,
      [&interpreter](uint32_t function, uint32_t first, uint32_t) {
        const auto &f = interpreter.program().functions[function];
        return f.own && !interpreter.coverage.cover[f.coverBase + first];
      },
      /*movingTargets=*/true);
}

} // namespace fathom::explore
