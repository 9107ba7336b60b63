// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/StepTally.h"

namespace fathom::explore {

void StepTally::spend(const Interpreter &interpreter, const expr::ExprContext &context,
                      const Stats &stats) {
  const Counts now{interpreter.instructions + stats.replayedInstructions,
                   context.stats().created + context.stats().hits, stats.forks, stats.queries};
  using solver::Clock;
  Clock::spend(StepKind::Instruction, now.instructions - told_.instructions);
  Clock::spend(StepKind::Term, now.terms - told_.terms);
  Clock::spend(StepKind::Fork, now.forks - told_.forks);
  Clock::spend(StepKind::Query, now.queries - told_.queries);
  told_ = now;
}

} // namespace fathom::explore
