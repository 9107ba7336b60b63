// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main loop: pick a state, run it, take in what came of it, until a budget ends.
#ifndef FATHOM_EXPLORE_EXPLORER_H
#define FATHOM_EXPLORE_EXPLORER_H

#include "explore/Executor.h"
#include "explore/Explore.h"
#include "explore/Searcher.h"

#include <unordered_map>

namespace fathom::explore {

class Explorer {
public:
  Explorer(const program::Program &program, const ExploreOptions &options, ResultSink &sink,
           const std::atomic<bool> &stop);
  ExploreResult run();

private:
  bool start();
  bool budgetsHold();
  void take(State &ran, Step &step);
  void drop(State &state);
  void reclaimTerms();
  void evict();
  void drain(); ///< partial tests of what is unfinished
  void finishStats();
  LineCoverage lineCoverage() const;

  const program::Program &program_;
  const ExploreOptions &options_;
  ResultSink &sink_;
  const std::atomic<bool> &stop_;
  ExploreResult result_;
  Rng rng_;
  expr::ExprContext context_;
  std::unique_ptr<solver::FeasibilityOracle> oracle_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Searcher> searcher_;
  std::unordered_map<State *, std::unique_ptr<State>>
      states_;             // looked up, never iterated for anything observable
  uint64_t pagesSeen_ = 0; ///< Memory::pageBytes at the last look
  solver::Clock::time_point started_, nextLook_;
  uint64_t liveAfterReclaim_ =
      1 << 20; ///< terms; the next reclaiming is when there are twice as many
};

} // namespace fathom::explore
#endif
