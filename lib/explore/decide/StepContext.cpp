// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/StepContext.h"

namespace fathom::explore {

bool StepContext::cutShort(State &s, bool lessTime) {
  // Timers are not exact.
  constexpr std::chrono::milliseconds kNearly{20};
  const bool over =
      deadline != solver::Clock::time_point{} && solver::Clock::now() + kNearly >= deadline;
  if (!lessTime && !over && !(stop && stop->load(std::memory_order_relaxed))) return false;
  cut = s.discarded = true;
  ledger_.mute(true);
  return true;
}

} // namespace fathom::explore
