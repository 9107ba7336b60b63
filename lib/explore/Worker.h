// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker process: explores what the coordinator gives it, and tells it everything.
#ifndef FATHOM_EXPLORE_WORKER_H
#define FATHOM_EXPLORE_WORKER_H

#include "explore/Explore.h"
#include "explore/Wire.h"

namespace fathom::explore {

/// Returns when the coordinator says so, or is gone; then only the process's end is left.
/// `announce`: see Explorer::announceIn.
void work(const program::Program &program, ExploreOptions options, Channel channel,
          volatile uint64_t *announce);

} // namespace fathom::explore
#endif
