// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results folder of a fuzzing campaign: run.json and bugs/ in the same form as an exploration's
// (docs/results.md), beside the files that lib/campaign keeps there.
#ifndef FATHOM_REPORT_CAMPAIGNFOLDER_H
#define FATHOM_REPORT_CAMPAIGNFOLDER_H

#include "campaign/Campaign.h"
#include "explore/Results.h"
#include "report/Dismissals.h"
#include "report/Files.h"
#include "report/RunFile.h"
#include "report/Sarif.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fathom::report {

struct CampaignFolderOptions {
  std::string path;
  bool force = false, resume = false;
  std::vector<std::string> commandLine; ///< for run.json
  std::string program;                  ///< as the user named it, absolute
  std::string nativeProgram;            ///< that replay.sh runs, absolute; empty: none
  std::vector<std::string> arguments;   ///< of the program, with "@@" where the input file is
  bool isHarness = false;               ///< LLVMFuzzerTestOneInput
  std::string unit;                     ///< length of sampling units
  std::optional<uint64_t> seed;
  std::string fuzzed;     ///< the fuzzing variant, absolute
  std::string sanitizers; ///< that it has, as --sanitize takes them
  uint64_t testMemoryBytes = 0;
  Dismissals dismissals; ///< of the project
  std::string import;    ///< where the inputs came from, absolute; empty: from fuzzing
};

/// A crash as a bug of the kinds that the engine has: what its diagnosis says, or what the signal
/// tells. What that cannot tell is in the message: an access that faults is out of bounds, whatever
/// made it so.
explore::Bug bugOf(const campaign::Crash &crash, const CampaignFolderOptions &options);

class CampaignFolder {
public:
  /// Errors: as ResultsFolder::create; with `resume`: the folder holds no campaign.
  static llvm::Expected<std::unique_ptr<CampaignFolder>> create(CampaignFolderOptions options);

  /// Writes bugs/NNNNNN unless there is one of the same kind and stack.
  llvm::Error storeCrash(const campaign::Crash &crash);
  /// results.sarif, and run.json with how it ended.
  llvm::Error finish(const campaign::CampaignStatus &status, const std::string &howEnded);
  /// The campaign could not start: leaves nothing behind.
  void discard();

  const std::vector<Finding> &findings() const { return findings_; }

private:
  explicit CampaignFolder(CampaignFolderOptions options) : options_(std::move(options)) {}
  llvm::Error writeRun(const campaign::CampaignStatus *status, const std::string &howEnded);

  CampaignFolderOptions options_;
  Directory root_, bugsDir_;
  RunTimes times_;
  std::vector<Finding> findings_;
  SourceLines sources_; ///< of identities
  SourceCode code_{sources_};
  std::set<std::string> seen_;
};

} // namespace fathom::report
#endif
