// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls a function from a thread of its own when a deadline of the arming thread's work clock
// passes that was not disarmed in time, or when a check that it makes every few milliseconds says
// so (memory). Arming is a few stores, because a solver is armed for every query: while queries
// keep coming the thread polls, and only after a quiet second does it sleep until it is woken.
#ifndef FATHOM_SOLVER_WATCHDOG_H
#define FATHOM_SOLVER_WATCHDOG_H

#include "support/WorkClock.h"

#include <chrono>
#include <functional>
#include <memory>

namespace fathom::solver {

class Watchdog {
public:
  Watchdog();
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;
  /// `bark` is called from the other thread once `deadline` (of the clock of work) has passed or
  /// `tooMuch` (may be empty; called from there every kTick) returned true, repeatedly every kAgain
  /// until disarmed.
  void arm(WorkClock::time_point deadline, std::function<void()> bark,
           std::function<bool()> tooMuch = {});
  /// After this returns bark does not run, and will not. True if it ran.
  bool disarm();
  static constexpr std::chrono::milliseconds kTick{2}, kAgain{50};

private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

} // namespace fathom::solver
#endif
