// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a study's pending trials on this machine, a few at a time, each in a process of its own
// (`fathom assess --trial`), as the tasks of a cluster are.
#ifndef FATHOM_ASSESS_SCHEDULE_H
#define FATHOM_ASSESS_SCHEDULE_H

#include "assess/Study.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fathom::assess {

struct ScheduleOptions {
  std::string fathom;                   ///< path of our own executable
  unsigned jobs = 1;                    ///< trials at a time
  std::chrono::milliseconds maxTime{0}; ///< of this session; 0: no bound
};

struct ScheduleStatus {
  size_t done = 0, total = 0; ///< of all trials of the study
  size_t running = 0;
  size_t failed = 0; ///< in this session
  /// Until all are done; nothing as long as nothing is known about how long trials take.
  std::optional<double> secondsLeft;
};

enum class ScheduleEnd { AllDone, MaxTime, Interrupted, Failed };

struct ScheduleResult {
  ScheduleEnd end = ScheduleEnd::AllDone;
  std::vector<std::string> failures; ///< one line for each trial that failed
  size_t busy = 0;                   ///< trials that another process has in hand
};

/// One failing trial does not end the others.
ScheduleResult runPending(const Study &study, const ScheduleOptions &options,
                          const std::function<void(const ScheduleStatus &)> &onProgress,
                          const std::atomic<bool> &stop);

} // namespace fathom::assess
#endif
