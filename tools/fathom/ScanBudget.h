// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `fathom scan` may use, how much of it is gone, and what it is doing: --max-time,
// --max-memory, Ctrl-C or SIGTERM, progress on stderr.
#ifndef FATHOM_TOOLS_SCANBUDGET_H
#define FATHOM_TOOLS_SCANBUDGET_H

#include "Command.h"
#include "Status.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace fathom::tool {

/// Looks at time and memory in a thread of its own, as long as it lives.
class ScanBudget {
public:
  /// Throws UsageError where an option is no time or size. From here on Ctrl-C and SIGTERM end it.
  ScanBudget(const CommonOptions &options, Context &context)
      : ScanBudget(options, context, options.time()) {}
  /// Of the time that the options give, this is left for the analysis; 0: no bound.
  ScanBudget(const CommonOptions &options, Context &context, std::chrono::milliseconds time);
  ~ScanBudget();
  ScanBudget(const ScanBudget &) = delete;

  /// From here on progress says this: "points-to sets".
  void begin(const std::string &step);
  /// Set when something is used up: to be looked at by what runs.
  const std::atomic<bool> &stop() const { return stop_; }
  /// Of what is nearest to its end, how much is gone: 1 and more when it is over.
  double share() const { return share_; }
  /// Of --max-time, how much is gone; 0 without one.
  double timeShare() const;
  /// Before results are printed: ends progress, and says what ended the analysis in which step, if
  /// something did: as a message, and as the first line of what is printed (not with --json or -q).
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

  const CommonOptions &options_;
  Context &context_;
  const std::chrono::milliseconds time_;
  const uint64_t memory_;
  const Clock::time_point begin_ = Clock::now();
  std::atomic<bool> stop_{false}, isCut_{false};
  std::atomic<double> share_{0};
  mutable std::mutex mutex_; ///< of all below
  std::condition_variable ended_;
  bool isOver_ = false, isFinished_ = false;
  std::string step_, limit_;
  Status status_;
  std::thread thread_;
};

} // namespace fathom::tool
#endif
