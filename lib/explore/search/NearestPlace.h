// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What covnew and targets=... share: first a place, by its distance to where they want to go, then
// one of the states there.
#ifndef FATHOM_EXPLORE_SEARCH_NEARESTPLACE_H
#define FATHOM_EXPLORE_SEARCH_NEARESTPLACE_H

#include "explore/search/SearcherTable.h"

#include <cstdint>
#include <functional>

namespace fathom::explore {

/// Are any of these instructions wanted?
using IsTarget = std::function<bool(uint32_t function, uint32_t first, uint32_t end)>;

/// The own instructions that no path has reached.
inline IsTarget uncoveredCode(const Interpreter &interpreter) {
  return [&interpreter](uint32_t function, uint32_t first, uint32_t) {
    const program::FunctionCode &f = interpreter.program().functions[function];
    return f.own && !interpreter.coverage.cover[f.coverBase + first];
  };
}

/// movingTargets: they are looked up again when something new was covered.
std::unique_ptr<Searcher> makeNearestPlace(const SearcherOptions &options, IsTarget isTarget,
                                           bool movingTargets);

} // namespace fathom::explore
#endif
