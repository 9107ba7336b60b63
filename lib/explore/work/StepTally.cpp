// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/StepTally.h"

#include <algorithm>

namespace fathom::explore {

void StepTally::spend(const Interpreter &interpreter, const expr::ExprContext &context,
                      const Stats &stats) {
  const Counts now{interpreter.instructions + stats.replayedInstructions,
                   context.stats().created + context.stats().hits, stats.forks, stats.queries};
  // Counts of what is replayed go back when it is taken out of the statistics.
  const auto tell = [](StepKind kind, uint64_t count, uint64_t before) {
    solver::Clock::spend(kind, count - std::min(count, before));
  };
  tell(StepKind::Instruction, now.instructions, told_.instructions);
  tell(StepKind::Term, now.terms, told_.terms);
  tell(StepKind::Fork, now.forks, told_.forks);
  tell(StepKind::Query, now.queries, told_.queries);
  told_ = now;
}

} // namespace fathom::explore
