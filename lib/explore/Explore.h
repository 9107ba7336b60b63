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
  /// Non-empty: it ended for a reason that is not the program's and not the user's (StopReason says
  /// which). All that was found is stored, and it can be resumed.
  std::string failure;
};

struct Checkpoint;

/// Explores in options.jobs worker processes, from the start of the program or from a checkpoint
/// (ResultSink::onCheckpoint, decode in Protocol.h), until no state is left, a budget is spent, or
/// *stop becomes true (Ctrl-C). Never throws, never exits. Must be called while the process has one
/// thread.
ExploreResult explore(const program::Program &program, const ExploreOptions &options,
                      ResultSink &sink, const std::atomic<bool> &stop,
                      const Checkpoint *from = nullptr);

} // namespace fathom::explore
#endif
