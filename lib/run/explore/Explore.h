// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom explore: from a request to the engine and the results folder.
#ifndef FATHOM_RUN_EXPLORE_H
#define FATHOM_RUN_EXPLORE_H

#include "explore/Explore.h"
#include "explore/merge/MergePolicy.h"
#include "report/ResultsFolder.h"
#include "run/cluster/ClusterOptions.h"
#include "run/Limits.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fathom::run {

/// The results folder of an exploration.
struct ExploreOutput {
  std::string folder = "fathom-out";
  bool force = false;    ///< replace the results that are in it
  bool resume = false;   ///< continue the run in it
  std::string dismissed; ///< the file of dismissals; "": found (report/Dismissals.h)
  bool testFolders = false, testComp = false, aflQueue = false;
  uint64_t maxDiskBytes = report::FolderOptions().maxDiskBytes;
  std::vector<std::string> commandLine; ///< for run.json
  /// What the program writes, with ExploreOptions::echoOutput; descriptor 1 or 2.
  std::function<void(int fd, const std::string &data)> echo;
  /// As of report::FolderOptions.
  std::function<void(uint64_t number, const explore::TestCase &, const std::string &bug)> onTest;
  std::function<void(const report::Finding &)> onFinding;
  std::function<void(const explore::TestCase &)> onInput;
  std::function<void(const explore::Stats &)> onProgress; ///< with the session's progress
};

struct ExploreRequest {
  std::vector<std::string> programs; ///< one, or C files
  /// Options of the engine. The driver completes them from the other members: arguments, memory,
  /// time, jobs, seeds, odds, what belongs to the installation.
  explore::ExploreOptions options;
  explore::MergeOptions merging;
  Limits limits;
  std::vector<std::string> symbolic;    ///< --sym-arg and the like, in their long form
  std::vector<std::string> arguments;   ///< of the program; descriptions may stand among them
  std::vector<std::string> environment; ///< NAME=VALUE
  std::string seeds;                    ///< a folder of inputs; "": none
  std::string campaign;                 ///< with the searcher psp: results of a campaign
  ClusterOptions cluster;               ///< workers of other machines
  ExploreOutput output;
};

/// Makes the engine merge as `merging` says.
void addMerging(ExploreRequest &request);

/// Checks the request and completes its options. A UsageError where something is wrong, said before
/// anything is loaded. `needsFolder`: results are written.
llvm::Error prepareExploration(ExploreRequest &request, bool needsFolder);

struct Exploration {
  explore::ExploreResult result;
  std::unique_ptr<report::ResultsFolder> folder; ///< finished
  std::string failure; ///< why results are missing; those written before are complete; "": none are
};

/// Runs a prepared request to its end. A UsageError: the program cannot be loaded, the folder
/// cannot be used, or the engine cannot begin.
llvm::Expected<Exploration> explore(ExploreRequest &request, Session &session);

/// The code that the engine would execute for a prepared request; `what`: "code" or
/// "code:FUNCTION".
llvm::Expected<std::string> printCode(const ExploreRequest &request, const std::string &what,
                                      Session &session);

} // namespace fathom::run
#endif
