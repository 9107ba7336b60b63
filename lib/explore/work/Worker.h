// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker process: explores what the coordinator gives it, and tells it everything.
#ifndef FATHOM_EXPLORE_WORK_WORKER_H
#define FATHOM_EXPLORE_WORK_WORKER_H

#include "explore/Explore.h"
#include "explore/work/Protocol.h"

#include <csignal>

namespace fathom::explore {

/// What a worker is at, in memory that it shares with the coordinator: for when it does not say
/// anything any more.
struct Announcements {
  volatile uint64_t path = 0; ///< see Explorer::announceIn
  solver::RunningQuery query;
};

/// A signal of the coordinator: what runs is to end, also in the solver.
inline constexpr int kInterruptWorker = SIGUSR1;

/// Returns when the coordinator says so, or is gone; then only the process's end is left.
void work(const program::Program &program, ExploreOptions options, Channel channel,
          Announcements &announce);

} // namespace fathom::explore
#endif
