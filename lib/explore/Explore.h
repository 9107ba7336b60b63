// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic execution of a program: the entry point of the explore layer.
//
//   ExploreResult r = explore(program, options, sink);
#ifndef FATHOM_EXPLORE_EXPLORE_H
#define FATHOM_EXPLORE_EXPLORE_H

#include "explore/Options.h"
#include "explore/Results.h"

#include <atomic>

namespace fathom::explore {

struct ExploreResult {
  Stats stats;
  Ledger ledger;
  LineCoverage lines;
  std::string error; ///< Non-empty: the exploration could not start (program has no entry, runtime
                     ///< of another version).
};

/// Explores until no state is left, a budget is spent, or *stop becomes true (Ctrl-C). Never
/// throws, never exits.
ExploreResult explore(const program::Program &program, const ExploreOptions &options,
                      ResultSink &sink, const std::atomic<bool> &stop);

} // namespace fathom::explore
#endif
