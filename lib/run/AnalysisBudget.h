// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an analysis may use, how much of it is gone, and what it is doing: limits of time and
// memory, Ctrl-C or SIGTERM, progress.
#ifndef FATHOM_RUN_ANALYSISBUDGET_H
#define FATHOM_RUN_ANALYSISBUDGET_H

#include "run/Limits.h"
#include "run/Session.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace fathom::run {

/// Looks at time and memory in a thread of its own, as long as it lives.
class AnalysisBudget {
public:
  /// From here on Ctrl-C and SIGTERM end it.
  AnalysisBudget(Limits limits, Session &session);
  ~AnalysisBudget();
  AnalysisBudget(const AnalysisBudget &) = delete;

  /// From here on progress says this: "points-to sets".
  void begin(const std::string &step);
  /// Set when something is used up: to be looked at by what runs.
  const std::atomic<bool> &stop() const { return stop_; }
  /// How much is used up of the limit that is nearest to its end: 1 and more when it is over.
  double share() const { return share_; }
  /// How much of --max-time is used up; 0 without one.
  double timeShare() const;
  /// Before results are told: ends progress, and says what ended the analysis in which step, if
  /// something did: as a warning, and to the caller.
  ///
  /// \param cutShort  parts of the step that were cut short, by what ended it or by --max-time so
  ///                  that others had time too: "leak, double-free"; "": none.
  /// \param so        what follows: "reports of these kinds may be missing".
  /// \returns         what it said; "": nothing.
  std::string report(const std::string &cutShort = "", const std::string &so = "");
  /// Ends progress only.
  void finish();
  /// Did it end the analysis, or a part of it?
  bool isPartial() const { return stop_ || isCut_; }
  void markPartial() { isCut_ = true; }
  /// What is nearest to its end, or was first: "--max-time 10s", "--max-memory 2G", "Ctrl-C",
  /// "SIGTERM".
  std::string limit() const;

private:
  using Clock = std::chrono::steady_clock;
  void watch();
  void look();

  const Limits limits_;
  Session &session_;
  const uint64_t memory_;
  const Clock::time_point begin_ = Clock::now();
  std::atomic<bool> stop_{false}, isCut_{false};
  std::atomic<double> share_{0};
  mutable std::mutex mutex_; ///< of all below
  std::condition_variable ended_;
  bool isOver_ = false, isFinished_ = false;
  std::string step_, limit_;
  std::thread thread_;
};

} // namespace fathom::run
#endif
