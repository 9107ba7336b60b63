// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_CONFIRM_H
#define FATHOM_API_CONFIRM_H

/// \file
/// Verdicts on the reports of an analyser, as `fathom confirm` gives them (docs/confirm.md).

#include <fathom/Evidence.h>
#include <fathom/Program.h>
#include <fathom/Result.h>
#include <fathom/Session.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fathom::api {

/// How to search.
struct ConfirmOptions {
  /// What main is started with, as ExploreOptions::arguments; empty: the usual symbolic input
  /// (--sym-args 0 2 8 --sym-files 1 16 --sym-stdin 16).
  std::vector<std::string> arguments;
  std::vector<std::string> only; ///< rules, or parts of file names (--only); empty: all reports
  /// For one report (--report-time), counted in steps: the same verdict in every run.
  std::chrono::milliseconds reportTime{10000};
  Limits limits;         ///< of all reports together
  unsigned jobs = 1;     ///< reports that are searched for at a time (--jobs), 1 to 256
  unsigned rounds = 0;   ///< rounds of short tries (--rounds); 0: as the time allows
  bool usesCache = true; ///< takes verdicts of earlier runs over, and keeps the new ones
  std::string folder;    ///< for inputs of confirmed reports (-o); "": they are not kept
  bool replace = false;  ///< replaces the results of an earlier run in that folder (--force)
};

/// What became of a report.
enum class Verdict {
  Confirmed, ///< a feasible path from main shows the defect
  Possible,  ///< one from an inner function does; whether callers pass what it needs is not known
  Refuted,   ///< every path was followed to its end, and none shows it
  Open       ///< none of these; Judgement::reason says why
};

/// A report with its verdict.
struct Judgement {
  std::string tool;    ///< that wrote the report
  std::string rule;    ///< the report's rule; of scan(), the name of a BugKind
  std::string message; ///< the report's text
  Frame place;         ///< of the defect, as the report has it; the function is ""

  Verdict verdict = Verdict::Open; ///< what became of it
  std::string reason;              ///< one clause
  std::string settledBy;           ///< Open: what would settle it, one clause; may be empty
  std::string entry;               ///< the function at whose start the paths begin

  std::string kind;         ///< shown: the kind of the bug, one of bugKinds()
  std::string feasibleFrom; ///< shown: the outermost function from whose start a path shows it
  std::vector<Frame> stack; ///< shown: where the path ends, innermost call first
  std::vector<Frame> path;  ///< shown: the branches that the path takes, in order
  /// Shown: unknown values that make the program take the path, name and text.
  std::vector<std::pair<std::string, std::string>> values;
  std::string folder;        ///< of the input, as a bug's in a results folder; "" if there is none
  bool isReproduced = false; ///< the native program showed the bug on that input
};

/// Gives each report a verdict.
///
/// \param reports  Files: SARIF 2.1.0, clang's plist, GCC's and Infer's JSON, cppcheck's XML; or
/// folders
///                 of such files. The form is recognised by the contents.
/// \returns        All reports that ConfirmOptions::only lets through, in the order of the files.
/// Errors: Usage if an option is wrong, or a program or file cannot be read.
/// Determinism: equal in every run that Limits::time does not cut short.
/// Threads: forks worker processes; the process must have one thread.
/// Cost: at most reportTime for each report, or Limits::time.
Result<std::vector<Judgement>> confirm(const Program &program,
                                       const std::vector<std::string> &reports,
                                       const ConfirmOptions &options = {},
                                       const Session &session = {});

} // namespace fathom::api
#endif
