// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom fuzz: the fuzzing variant, a campaign of AFL++ on it, and its results folder.
#ifndef FATHOM_RUN_FUZZ_H
#define FATHOM_RUN_FUZZ_H

#include "campaign/Campaign.h"
#include "report/Sarif.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fathom::run {

struct FuzzRequest {
  std::string program;                ///< an executable that fathom-cc linked, its .bc, or a C file
  std::vector<std::string> arguments; ///< of the program; "@@" stands for the input file
  std::string input;                  ///< "@@", "stdin" or "": as the arguments say
  std::string folder;                 ///< for the results
  bool force = false, resume = false;
  std::string dismissed;                ///< the file of dismissals; "": found (report/Dismissals.h)
  std::vector<std::string> commandLine; ///< for run.json

  std::string corpus; ///< initial inputs (Corpus.h); "": one short line
  std::string import; ///< non-empty: the inputs of this folder are run, and nothing is fuzzed
  std::vector<std::string> dictionaries, mutators;
  bool onlyMutators = false;

  campaign::UnitLength unit;
  unsigned jobs = 1;
  unsigned iterations = 1000; ///< inputs for one process of a fuzz target
  std::optional<uint64_t> seed;
  std::chrono::milliseconds maxTime{0};     ///< from the first execution on; 0: no bound
  uint64_t maxExecutions = 0, maxUnits = 0; ///< 0: no bound
  std::chrono::milliseconds testTime{1000}; ///< of one execution
  std::string testTimeText = "1s";          ///< as messages name it
  uint64_t testMemoryBytes = uint64_t(2) << 30;
  bool record = true, comparisonLog = true;

  campaign::Sanitizers sanitizers;
  campaign::PointChoice states; ///< where states are sampled
  std::string statesText;       ///< `states` as messages name it; "": no states are sampled
  /// Ends the campaign when its samples no longer change the models of psp: when their Hellinger
  /// distance (psp/Hellinger.h; 0 to 1) was below this in Convergence::kStable comparisons in a
  /// row. 0: the distances are only recorded. None: nothing is compared.
  std::optional<double> untilStable;

  /// CampaignOptions::inbox; "": none.
  std::string inbox;
  /// CampaignEvents::onCoverage; the number of bugs so far comes with it.
  std::function<void(const campaign::CampaignStatus &, const campaign::CoverageTally &,
                     size_t bugs)>
      onCoverage;
  std::function<bool()> mayRun; ///< CampaignEvents::mayRun
  bool showsProgress = true;    ///< the estimate in its line takes time
};

struct FuzzedCampaign {
  campaign::CampaignStatus status;
  std::vector<report::Finding> findings;
  std::string database; ///< campaign.db, absolute
  std::string howEnded;
  /// Why the campaign did not begin: no initial input ended normally, which is wrong usage. "": it
  /// began.
  std::string whyNotBegun;
  std::string failure; ///< what is wrong or missing through Fathom's own fault; "": nothing
};

/// A UsageError says what is wrong with the request.
llvm::Error validate(const FuzzRequest &request);

/// Builds the variants, fuzzes (or runs the inputs of `import`), and writes the results folder.
llvm::Expected<FuzzedCampaign> fuzz(const FuzzRequest &request, Session &session);

} // namespace fathom::run
#endif
