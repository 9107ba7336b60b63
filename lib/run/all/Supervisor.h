// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts the parts of fathom run, shares processors among them, writes down who found what, and
// ends them.
#ifndef FATHOM_RUN_ALL_SUPERVISOR_H
#define FATHOM_RUN_ALL_SUPERVISOR_H

#include "run/all/Activity.h"
#include "run/all/PartWork.h"
#include "run/all/RunEvents.h"
#include "run/all/Shares.h"
#include "run/all/StopRule.h"

#include <chrono>
#include <list>
#include <optional>

namespace fathom::run {

class Supervisor {
public:
  /// \param bugsBefore  by part: that an earlier session found.
  Supervisor(const RunRequest &request, PartContext context, RunEvents events,
             std::array<uint64_t, kRunParts> bugsBefore, const report::Dismissals &dismissals,
             Session &session);

  /// Runs all parts to their end. Errors: no process could be started.
  llvm::Expected<RunResult> run();

private:
  /// A part that runs.
  struct Running {
    Part part{};
    Activity activity;
    uint64_t bugs = 0, reports = 0; ///< that events tell of
    uint64_t countedBugs = 0;       ///< that countOpenBugs has read
    bool isOver = false;
  };

  llvm::Error start(Part part);
  Shares::Width widthOf(Part part) const;
  bool isRunning(Part part) const;
  /// Sides, bugs and processor time since the last look.
  void look();
  void countSides();
  /// Decides who runs in the next slice.
  void share();
  void giveProcessors();

  /// Scan comes first, what it reports is judged next.
  llvm::Error startNext();
  void noteEnd(Running &running);
  /// Those that count for --max-bugs: the folder is read when a part tells of another one.
  void countOpenBugs(Running &running, uint64_t bugs);
  std::optional<std::string> whyOver() const;
  void endAll();
  void tellProgress();
  Moment now() const;
  RunResult result();

  const RunRequest &request_;
  PartContext context_;
  RunEvents events_;
  Session &session_;
  std::list<Running> running_;
  Shares shares_;
  std::vector<unsigned> given_; ///< processors in this slice, by part
  StopRule stopRule_;
  std::chrono::steady_clock::time_point began_, nextSlice_, nextProgress_, nextCovered_;
  std::vector<bool> known_; ///< sides that were counted
  uint64_t covered_ = 0;
  std::array<double, kRunParts> gains_{}; ///< since the last slice
  std::array<double, kRunParts> spent_{}; ///< processor seconds at its beginning
  std::array<uint64_t, kRunParts> bugsBefore_;
  const report::Dismissals &dismissals_;
  std::array<uint64_t, kRunParts> openBugs_{};
  RunResult result_;
  bool hasScanned_ = false, hasConfirmed_ = false;
};

} // namespace fathom::run
#endif
