// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program once more, from its start, on one input and in an executor of its own: all that its
// oracle knows is that input. For what a path cannot say of itself: whether its input shows the
// bug, where it went on with a result for another value; and which branches the input takes, where
// the path stands for several.
//
// Cost: one path without a solver (but for unwritten memory: both ways are gone where it decides).
#ifndef FATHOM_EXPLORE_DECIDE_SECONDRUN_H
#define FATHOM_EXPLORE_DECIDE_SECONDRUN_H

#include "explore/decide/BugReports.h"
#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

#include <optional>
#include <vector>

namespace fathom::explore {

struct RunOnInput {
  std::vector<SymbolValue> symbols;        ///< the input
  std::vector<uint32_t> failedAllocations; ///< the path's, and no others
  uint64_t maxInstructions = 0;
  const BugKey *until = nullptr; ///< stops when it is reported; null: at the end of the path
  bool endsInBug = false;        ///< the end is the first bug's
};
struct SecondRunResult {
  bool hasReported = false;    ///< `until`
  std::optional<TestCase> end; ///< of the first path that came to its end; null: none did
};

SecondRunResult runAgain(const Services &services, RunOnInput what);

} // namespace fathom::explore
#endif
