// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of a study: whatever is in it, and nothing else, is what a study knows. It can be
// moved, and several processes (also on several machines with a common file system) may run its
// trials at once.
//
//   study.json                    Plan
//   programs/NAME/                program.bc, corpus/, reachable.json; generated ones with sources
//   trials/NAME/0001/campaign/    the campaign: a folder of fathom fuzz
//                   /estimates.json   Measured
//                   /trial.json   written last: a trial that has it is done
//                   /lock         held by the process that runs it
//   results.json, report.md, plots/   made anew from finished trials, at any time
#ifndef FATHOM_ASSESS_STUDY_H
#define FATHOM_ASSESS_STUDY_H

#include "assess/Findings.h"
#include "assess/Plan.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::assess {

/// What a finished trial leaves besides its estimates.
struct TrialFacts {
  double seconds = 0; ///< of the units
  uint64_t executions = 0;
  uint64_t sessions = 1;    ///< 1: it ran without a break
  uint64_t beyondTruth = 0; ///< elements covered that the truth calls unreachable: it is wrong
};

class Study {
public:
  /// \param folder  absolute, because processes of its own get it.
  /// Errors: the folder has a study, or cannot be written.
  static llvm::Expected<Study> create(const std::string &folder, Plan plan);
  /// Errors: there is none, or one that cannot be read.
  static llvm::Expected<Study> open(const std::string &folder);
  static bool exists(const std::string &folder);

  /// More trials of each program than were planned. Errors: fewer.
  llvm::Error raiseTrials(uint32_t trials);

  const std::string &folder() const { return folder_; }
  const Plan &plan() const { return plan_; }
  std::string programFolder(const Subject &subject) const;
  std::string trialFolder(size_t trial) const;
  bool isDone(size_t trial) const;
  std::vector<size_t> pending() const;

  /// The facts of a finished trial. Errors: the trial is not finished, or its file is damaged.
  llvm::Expected<TrialFacts> facts(size_t trial) const;
  /// The trial's estimates. They are made anew from its campaign if they were made with other
  /// options or estimators.
  llvm::Expected<Measured> measured(size_t trial) const;
  /// Measures a finished campaign, and marks the trial as done. Errors: fewer units than planned;
  /// another program; a file cannot be written.
  llvm::Error finish(size_t trial, uint64_t sessions) const;

private:
  Study(std::string folder, Plan plan) : folder_(std::move(folder)), plan_(std::move(plan)) {}
  llvm::Expected<Measured> measureAnew(size_t trial, TrialFacts *facts) const;

  std::string folder_;
  Plan plan_;
};

/// The elements that can be reached, of each kind.
struct Reachable {
  std::vector<uint32_t> sides, blocks, statements; ///< ascending, each kind numbered from 0
  const std::vector<uint32_t> &of(campaign::ElementKind kind) const;
};
llvm::Error writeReachable(const std::string &folder, const Reachable &reachable);
llvm::Expected<Reachable> readReachable(const std::string &folder);

} // namespace fathom::assess
#endif
