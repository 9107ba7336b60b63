// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --max-memory: a bound on what all our processes take together, each page counted once (the sum of
// their proportional set sizes).
//
// A worker looks at its resident set, which is cheap to know, ten times a second and whenever its
// states have grown; the coordinator looks now and then at what the kernel says of all of them
// (slow: the kernel walks their page tables), and tells the workers how much each may have. Of the
// budget a part is kept free for what grows between two looks, and a part for queries: the solver
// has a limit of its own.
#ifndef FATHOM_EXPLORE_WORK_MEMORYBUDGET_H
#define FATHOM_EXPLORE_WORK_MEMORYBUDGET_H

#include "solver/Oracle.h"

#include <cstdint>
#include <vector>

namespace fathom::explore {

/// Of this process, shared pages counted whole.
uint64_t residentBytes();

/// A budget, in MB, with which a run may get further than one of which not even the first state
/// fitted: for what that one's processes had (`peakBytes`), each worker's solver and a first few
/// states. Rounded up to tens.
uint64_t leastMemoryMb(uint64_t peakBytes, unsigned workers);

class MemoryBudget {
public:
  /// maxBytes 0: no bound.
  MemoryBudget(uint64_t maxBytes, unsigned workers) : max_(maxBytes), workers_(workers) {}

  /// Of one worker's solver, in MB.
  uint64_t solverMb() const;
  /// Resident bytes that a worker may have; 0: no bound.
  uint64_t workerBytes() const;
  /// Whether it is time to look again.
  bool due() const { return max_ && WallClock::now() >= next_; }
  /// Looks at the processes: workerBytes() may be another afterwards.
  void look(const std::vector<int> &workerPids);

private:
  uint64_t max_;
  unsigned workers_;
  /// What the coordinator and the workers' children take, less what the workers share and their
  /// resident sets count twice.
  int64_t beside_ = 0;
  WallClock::time_point next_;
};

} // namespace fathom::explore
#endif
