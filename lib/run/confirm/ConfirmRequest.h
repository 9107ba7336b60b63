// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is to be confirmed, and how.
#ifndef FATHOM_RUN_CONFIRMREQUEST_H
#define FATHOM_RUN_CONFIRMREQUEST_H

#include "confirm/ReportFile.h"
#include "confirm/Search.h"
#include "run/Limits.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace fathom::run {

struct ConfirmRequest {
  std::vector<std::string> programs;   ///< C files together are one
  std::string compileCommands, target; ///< instead: a compilation database; one of its programs
  std::vector<std::string> reports;    ///< files, and folders of files
  confirm::PathMap pathMap;
  std::vector<std::string> only; ///< rules, and parts of paths of files; empty: all reports
  bool onlyNew = false;          ///< reports that are new since an earlier document
  std::function<bool(const confirm::Defect &)> comesFirst; ///< confirm::JudgeOptions

  /// How reports are searched for: bounds, times, strategy. The driver completes the rest.
  confirm::ConfirmOptions search;
  std::vector<std::string> symbolic;  ///< --sym-arg and the like, in their long form
  std::vector<std::string> arguments; ///< of main; descriptions may stand among them
  bool hasArguments = false;          ///< false: without any, the usual input is tried

  std::string seeds; ///< a folder of inputs (report/SeedFiles.h); "": none

  std::chrono::milliseconds reportTime = confirm::kUsualTime;
  Limits limits; ///< of all reports
  unsigned jobs = 1;
  unsigned rounds = 0;                  ///< 0: as many as the time allows
  bool resumes = false;                 ///< an error where no verdict is kept
  bool usesCache = true;                ///< of verdicts
  std::string output;                   ///< a folder for inputs; "": they are not kept
  bool force = false;                   ///< replace the results that are in it
  std::vector<std::string> commandLine; ///< for run.json
};

} // namespace fathom::run
#endif
