// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom assess: studies of estimators: a plan, its trials, tables and plots.
#ifndef FATHOM_RUN_STUDIES_H
#define FATHOM_RUN_STUDIES_H

#include "assess/Schedule.h"
#include "assess/Study.h"
#include "assess/Subjects.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <string>
#include <vector>

namespace fathom::run {

struct StudyRequest {
  std::string folder; ///< absolute
  bool force = false; ///< replace the study that is in it
  assess::Plan plan;  ///< without subjects
  std::vector<assess::Request> programs;
  std::chrono::milliseconds testTime{1000};
};

/// Prepares the programs and writes the plan. A UsageError: a program cannot be used, or the folder
/// holds other things.
llvm::Expected<assess::Study> createStudy(const StudyRequest &request, Session &session);

/// Runs what is not done yet, each trial as a process of its own: it can be killed and continued,
/// here or on a cluster.
assess::ScheduleResult runTrials(assess::Study &study, unsigned jobs,
                                 std::chrono::milliseconds time, Session &session);

struct StudyReport {
  std::string results; ///< results.json
  std::string summary; ///< for people
};
/// Reads what is done, and writes tables and plots into the study's folder. A UsageError where it
/// cannot be read or written.
llvm::Expected<StudyReport> reportStudy(const assess::Study &study, Session &session);

} // namespace fathom::run
#endif
