// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom run: a fuzzing campaign, an exploration, a scan and the judging of its reports, at the
// same time, on one budget. Each is the driver that its own command uses, in a process of its own
// (Activity.h); they give each other inputs and coverage (Inbox.h, Parts.h), and share processors
// by what they bring (Shares.h).
//
// Start reading at Supervisor::run (// MAIN LOOP).
#ifndef FATHOM_RUN_ALL_RUNALL_H
#define FATHOM_RUN_ALL_RUNALL_H

#include "campaign/FuzzVariant.h"
#include "report/Sarif.h"
#include "run/all/Parts.h"
#include "run/diff/Diff.h"
#include "run/Limits.h"
#include "run/Session.h"
#include "run/suite/Suite.h"

#include "llvm/Support/Error.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace fathom::run {

struct RunRequest {
  std::string program;                ///< as FuzzRequest has it
  std::vector<std::string> arguments; ///< of the program; "@@" stands for the input file
  std::string input;                  ///< "@@", "stdin" or "": as the arguments say
  std::string folder = "fathom-out";
  bool force = false, resume = false;
  std::vector<std::string> commandLine; ///< for run.json
  std::string corpus;                   ///< initial inputs (Corpus.h); "": none
  /// The output folder of an AFL++ campaign on this program that was started without Fathom. The
  /// run joins it as one more instance instead of fuzzing; "": none.
  std::string sync;
  std::vector<std::string> dictionaries;
  campaign::Sanitizers sanitizers; ///< of the campaign
  std::optional<uint64_t> seed;
  unsigned jobs = 2;
  Limits limits;
  uint64_t maxBugs =
      0; ///< ends when one part has found so many that are not dismissed; 0: no bound
  bool stopsEarly = true; ///< as soon as going on is not worth it (StopRule.h)
  bool scans = true;      ///< and confirms
  bool minimises = false; ///< leaves a suite (run/suite/Suite.h)
  std::string since;      ///< results of an earlier run (Since.h); "": none
  std::string dismissed;  ///< the file of dismissals; "": found (report/Dismissals.h)
};

/// What one part has cost and brought.
struct PartResult {
  double processorSeconds = 0;
  uint64_t sides = 0; ///< that it was the first to cover
  uint64_t bugs = 0, work = 0, inputs = 0;
  std::string failure; ///< why it did not end as it should; "": it did
};

/// One bug, which one or more parts found.
struct RunBug {
  report::Finding finding;       ///< of its first folder
  std::vector<std::string> dirs; ///< "explore/bugs/000001", "fuzz/bugs/000002"
};

struct RunResult {
  std::array<PartResult, kRunParts> parts;
  std::vector<RunBug> bugs, dismissed; ///< dismissed: not among the others (report/Dismissals.h)
  uint64_t sidesTotal = 0, sidesCovered = 0;
  uint64_t reports = 0, confirmed = 0, possible = 0, refuted = 0; ///< not dismissed
  uint64_t dismissedReports = 0;
  uint64_t keptVerdicts = 0; ///< of all reports, those that an earlier run had judged
  double wallSeconds = 0, processorSeconds = 0;
  double nextGain = 0; ///< sides that as much time again would cover, predicted
  std::string howEnded;
  std::optional<Suite> suite;           ///< where it was asked for, and is there
  std::optional<Difference> difference; ///< to RunRequest::since
  std::string page;                     ///< the HTML file about it; "": there is none
  std::string failure;                  ///< what is missing through Fathom's own fault; "": nothing
};

/// Runs until a budget is spent, going on is not worth it, or the user ends it; then all parts
/// write their folders. Must be called while the process has one thread. A UsageError: the program
/// cannot be analysed, or options or folder do not fit.
llvm::Expected<RunResult> runAll(const RunRequest &request, Session &session);

std::string runText(const RunRequest &request, const RunResult &result,
                    const report::BugListing &listing = {});
std::string runJson(const RunRequest &request, const RunResult &result);

} // namespace fathom::run
#endif
