// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is worth keeping of a run: few inputs that cover the branch sides that all inputs of all
// parts cover, and for each bug the smallest input that still shows it.
//
//   suite/inputs/000001   in the order in which they were chosen (Cover.h)
//   suite/bugs/NAME       named as the regression test of this bug (report/RegressionTest.h)
//   suite/suite.json      where each comes from (docs/run.md)
//
// Everything is executed natively, in processes with limits, and nothing is believed: what the
// suite covers is measured once more, from its files.
#ifndef FATHOM_RUN_SUITE_SUITE_H
#define FATHOM_RUN_SUITE_SUITE_H

#include "campaign/FuzzVariant.h"
#include "report/Files.h"
#include "report/Sarif.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

struct SuiteRequest {
  std::string folder;                 ///< results of fathom run, absolute; `suite` is made in it
  std::string program;                ///< as FuzzRequest has it
  std::vector<std::string> arguments; ///< of the program, with "@@" where the input file is
  const campaign::FuzzVariant *variant = nullptr; ///< of the campaign
  std::string corpus, afl; ///< initial inputs, AFL++'s output folder; "": none
  struct Bug {
    report::Finding finding;
    std::vector<std::string> dirs; ///< folders with inputs that show it, below `folder`
  };
  std::vector<Bug> bugs;
};

struct SuiteInput {
  std::string file, from; ///< below the folder of the run; `from` may be of the corpus
  std::string ends;       ///< "exit status 0", "signal SIGSEGV"
  uint64_t bytes = 0;
};

struct SuiteBug {
  report::Finding finding;
  std::string file, from;
  uint64_t bytes = 0, before = 0; ///< of the smallest one as it was found
  uint64_t executions = 0;
  bool isShown = false; ///< natively; false: it is as it was found
};

struct Suite {
  std::vector<SuiteInput> inputs;
  std::vector<SuiteBug> bugs;
  uint64_t candidates = 0, hung = 0; ///< different inputs; those that did not end are left out
  uint64_t withoutInput = 0;         ///< bugs that no standard input and no file shows: left out
  uint64_t sides = 0;                ///< that all candidates cover
  uint64_t sidesAgain = 0; ///< that the files of the suite covered when they ran once more
};

/// Replaces `suite` in the folder of the run. Errors: the program cannot be run, the folder cannot
/// be written; a UsageError where it was interrupted (not by what had ended the run before). The
/// one that was there stays then. Cost: each input runs once, and for each bug kMinimizeRuns
/// executions at most.
llvm::Expected<Suite> makeSuite(const SuiteRequest &request, const report::Directory &root,
                                Session &session);

/// Executions for each bug, whatever the machine.
inline constexpr uint64_t kMinimizeRuns = 1000;

/// suite.json.
std::string suiteJson(const Suite &suite);
/// Two lines for people.
std::string suiteText(const Suite &suite, const std::string &folder);

} // namespace fathom::run
#endif
