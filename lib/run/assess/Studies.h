// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom assess: studies of estimators: a plan, its trials, tables and plots.
#ifndef FATHOM_RUN_STUDIES_H
#define FATHOM_RUN_STUDIES_H

#include "assess/RunTrial.h"
#include "assess/Schedule.h"
#include "assess/Slurm.h"
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

/// One that is there, with so many trials for each program at least; 0: as many as it has. A
/// UsageError: there is none.
llvm::Expected<assess::Study> openStudy(const std::string &folder, uint32_t trials = 0);

/// Runs one trial, counted from 0. A UsageError: there is none of this number.
llvm::Expected<assess::TrialEnd> runOneTrial(const assess::Study &study, uint64_t trial,
                                             Session &session);

/// Submits what is not done yet to a cluster. `sbatchOptions`: as sbatch takes them; `jobs`: so
/// many at the same time, 0: no bound. A UsageError: there is no cluster here.
llvm::Expected<assess::SlurmJobs> submitStudy(const assess::Study &study,
                                              const std::string &sbatchOptions, unsigned jobs);

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
