// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Turn.h"

#include "explore/decide/Decisions.h"

namespace fathom::explore {

void Turn::beginEvent(const State &s) {
  noted.clear();
  decisions_.keep(s);
  beforeEvent = {stats_.forks, stats_.states, stats_.sidesLeft, stats_.pathsTerminatedEarly};
  forkedBefore = step->forked.size();
}

bool Turn::cutShort(State &s, bool lessTime) {
  // Timers are not exact.
  constexpr std::chrono::milliseconds kNearly{20};
  const bool over =
      deadline != solver::Clock::time_point{} && solver::Clock::now() + kNearly >= deadline;
  if (!lessTime && !over && !(stop && stop->load(std::memory_order_relaxed))) return false;
  cut = s.discarded = true;
  ledger_.mute(true);
  return true;
}

/// Between two decisions: a turn has many of them, and each may take the solver long.
bool Turn::mustStop() const {
  if (stop && stop->load(std::memory_order_relaxed)) return true;
  return deadline != solver::Clock::time_point{} && solver::Clock::now() >= deadline;
}

} // namespace fathom::explore
