// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several worker processes on one exploration.
//
// The unit of work is the log of a path (PathLog). The coordinator starts the workers as copies of
// itself, gives the empty log to one of them, and whenever one has nothing to do asks the one with
// the most states to give some away. Results come to the coordinator, which alone writes them. A
// worker that crashes loses only time: what it had been given is given out once more, and tests of
// paths that are known are not stored again.
#ifndef FATHOM_EXPLORE_COORDINATOR_H
#define FATHOM_EXPLORE_COORDINATOR_H

#include "explore/Explore.h"

namespace fathom::explore {

/// options.jobs workers. Must be called while the process has one thread.
ExploreResult coordinate(const program::Program &program, const ExploreOptions &options,
                         ResultSink &sink, const std::atomic<bool> &stop);

} // namespace fathom::explore
#endif
