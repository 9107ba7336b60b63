// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With --external concretize a path goes on with what an external function gave for one value of
// its arguments, while the arguments may still become others. A bug after such a call can be one
// that no input shows. So the program is run once more on the bug's own input, from its start and
// in an executor of its own, where all that the oracle knows is that input.
//
// Cost: one path without a solver (but for unwritten memory: both ways are gone where it decides)
// for a bug's place and kind, and again when it was met for the 2nd, 4th, 8th time and so on.
#include "explore/decide/ShowBug.h"

#include "explore/decide/Engine.h"
#include "explore/decide/SecondRun.h"
#include "explore/decide/TestBuilder.h"

namespace fathom::explore {

/// Another path can be one without end: it may take twice the instructions of this one, and so
/// many.
constexpr uint64_t kMore = 1'000'000;

bool ShowBug::showsBug(State &s, const BugKey &key, const expr::Model &model) {
  RunOnInput run{.symbols = tests_.buildTest(s, model, EndKind::Bug, 0, "").symbols,
                 .failedAllocations = {},
                 .maxInstructions = 2 * s.instructions + kMore,
                 .until = &key};
  for (const uint32_t *number : s.failedAllocations.items())
    run.failedAllocations.push_back(*number);
  return runAgain(services_, std::move(run)).hasReported;
}

} // namespace fathom::explore
