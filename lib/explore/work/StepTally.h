// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells the clock which steps an exploration has done (ExploreOptions::countsSteps). What the
// solver's stages do they tell themselves; the rest is counted by others for statistics, and told
// from here.
#ifndef FATHOM_EXPLORE_WORK_STEPTALLY_H
#define FATHOM_EXPLORE_WORK_STEPTALLY_H

#include "explore/interpreter/Interpreter.h"
#include "explore/Results.h"

namespace fathom::explore {

class StepTally {
public:
  /// What was done since the last call.
  void spend(const Interpreter &interpreter, const expr::ExprContext &context, const Stats &stats);

private:
  struct Counts {
    uint64_t instructions = 0, terms = 0, forks = 0, queries = 0;
  } told_;
};

} // namespace fathom::explore
#endif
