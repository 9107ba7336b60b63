// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a study is going to do, fixed when it is made: programs, trials, budgets, seeds. In the
// study's folder as study.json (docs/assess.md).
#ifndef FATHOM_ASSESS_PLAN_H
#define FATHOM_ASSESS_PLAN_H

#include "assess/Measure.h"
#include "campaign/Campaign.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fathom::assess {

/// One program of the study; its files are in programs/NAME/ of the study's folder.
struct Subject {
  std::string name;
  std::string from;                   ///< what the user named, or how it was generated; for people
  std::vector<std::string> arguments; ///< "@@" is the input file; without it standard input
  bool hasCorpus = false;             ///< programs/NAME/corpus
  std::string key;                    ///< of the fuzzing variant: changes with the program
  uint64_t elements = 0;              ///< of the study's kind
  /// How many of them any input can reach, where it is known (programs/NAME/reachable.json says
  /// which).
  std::optional<uint64_t> truth;
};

struct Plan {
  std::vector<Subject> subjects;
  uint32_t trials = 10; ///< of each program
  uint64_t seed = 1;
  campaign::UnitLength unit;
  uint32_t units = 0; ///< of each trial
  campaign::ElementKind kind = campaign::ElementKind::BranchSide;
  std::string testTime = "1s", testMemory = "2G"; ///< of one execution, as fathom fuzz takes them
  bool keepQueues = false;                        ///< AFL++'s folders of finished trials
  MeasureOptions measure;

  size_t trialCount() const { return subjects.size() * trials; }
  /// Trials are numbered so that a study that is broken off has as many of each program.
  const Subject &subjectOf(size_t trial) const { return subjects[trial % subjects.size()]; }
  /// From 1.
  uint32_t numberOf(size_t trial) const {
    return static_cast<uint32_t>(trial / subjects.size()) + 1;
  }
  uint64_t seedOf(size_t trial) const { return seed + trial; }
  /// Of one trial; 0 for units of executions.
  double trialSeconds() const;
  /// "" or what is wrong and what would be right.
  std::string validate() const;
};

llvm::json::Object toJson(const Plan &plan);
/// Errors: not what toJson writes.
llvm::Expected<Plan> planFromJson(const llvm::json::Object &json);

/// May it be the name of a program: letters, digits, `.`, `_`, `-`, not beginning with `.` or `-`.
bool isSubjectName(const std::string &name);

} // namespace fathom::assess
#endif
