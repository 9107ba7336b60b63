// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time that an exploration and its workers have taken, with that of the run that it resumes.
#ifndef FATHOM_EXPLORE_WORK_RUNTIMES_H
#define FATHOM_EXPLORE_WORK_RUNTIMES_H

#include "explore/Options.h"
#include "support/WorkClock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace fathom::explore {

struct RunTimes {
  WallClock::time_point started = WallClock::now();

  double wallSeconds() const { return wallBefore_ + sinceStart(); }
  /// With `jobs` workers of our own all the time.
  double workerSeconds(unsigned jobs) const {
    return workersBefore_ + jobs * sinceStart() + remoteSeconds_;
  }
  void resume(const Stats &before) {
    wallBefore_ = before.wallSeconds;
    workersBefore_ = before.workerSeconds;
  }
  /// From the last call until now there were `number` workers of other machines.
  void countRemote(size_t number) {
    const auto now = WallClock::now();
    remoteSeconds_ += static_cast<double>(number) *
                      std::chrono::duration<double>(now - std::exchange(countedAt_, now)).count();
  }
  /// What is left of ExploreOptions::maxTime for a worker that starts now; 0: no limit.
  std::chrono::milliseconds left(const ExploreOptions &options, uint64_t stepNanoseconds) const {
    if (!options.maxTime.count()) return {};
    // A worker that replaces one has less. What the lost one worked is not known: there the time
    // begins anew, and the caller's limit ends it.
    const std::chrono::nanoseconds gone = options.countsSteps
                                              ? std::chrono::nanoseconds(stepNanoseconds)
                                              : WallClock::now() - started;
    return std::max(std::chrono::milliseconds(1),
                    options.maxTime - std::chrono::duration_cast<std::chrono::milliseconds>(gone));
  }

private:
  double sinceStart() const {
    return std::chrono::duration<double>(WallClock::now() - started).count();
  }
  double wallBefore_ = 0, workersBefore_ = 0, remoteSeconds_ = 0;
  WallClock::time_point countedAt_ = started;
};

} // namespace fathom::explore
#endif
