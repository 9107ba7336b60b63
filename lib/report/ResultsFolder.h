// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results folder of an exploration (docs/results.md): receives tests and bugs as they appear,
// and is complete and readable at every moment, also when the run is killed or the disk is full.
//
//   auto folder = ResultsFolder::create({.path = "fathom-out", ...});
//   ExploreResult r = explore(program, options, **folder, stop);
//   (*folder)->finish(r);
#ifndef FATHOM_REPORT_RESULTSFOLDER_H
#define FATHOM_REPORT_RESULTSFOLDER_H

#include "explore/Explore.h"
#include "explore/work/Protocol.h"
#include "report/BugIndex.h"
#include "report/Files.h"
#include "report/FolderOptions.h"
#include "report/ReplayScript.h"
#include "report/RunFile.h"
#include "report/Sarif.h"
#include "report/TestsWriter.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>

namespace fathom::report {

class ResultsFolder final : public explore::ResultSink {
public:
  /// Writes run.json with "ended": null. Errors: the folder has results and `force` is off; it
  /// holds something else under their names; another run writes there; it cannot be created or
  /// written.
  static llvm::Expected<std::unique_ptr<ResultsFolder>> create(FolderOptions options);
  /// Resumes the run in the folder: `from` is its last checkpoint. Errors: see checkSameRun;
  /// another run writes there; it cannot be read or written.
  static llvm::Expected<std::unique_ptr<ResultsFolder>> resume(FolderOptions options,
                                                               explore::Checkpoint &from);

  bool onTest(const explore::TestCase &test) override;
  bool onBug(const explore::Bug &bug) override;
  void onProgress(const explore::Stats &stats) override;
  bool onInput(const explore::TestCase &test) override;
  void onEcho(int fd, const std::string &data) override;
  bool onCheckpoint(const std::string &encoded) override;

  /// Writes statistics, ledger, coverage, SARIF, and run.json with the reason for the end. Sets
  /// tests and bugs in the statistics to the numbers that were written.
  llvm::Error finish(explore::ExploreResult &result);

  /// Called if the run could not start: removes all its files, and the folder itself unless it
  /// holds other files.
  void discard();

  const std::vector<Finding> &findings() const { return findings_; }
  uint64_t testsWritten() const { return tests_.counts().tests; }
  /// Why onTest or onBug returned false; empty otherwise.
  const std::string &failure() const { return failure_; }
  /// Whether finish wrote ledger.json.
  bool hasLedger() const { return hasLedger_; }

private:
  explicit ResultsFolder(FolderOptions options) : options_(std::move(options)) {}
  llvm::Error openFolders();
  llvm::Error readCheckpoint(explore::Checkpoint &from);
  llvm::Error rememberFindings(explore::Checkpoint &from);
  llvm::Error writeRun(const explore::ExploreResult *result);
  llvm::Error storeRaw(const explore::TestCase &test);
  /// `bug`: the folder of the bug that the path ends in; "": none.
  bool storeTest(const explore::TestCase &test, const std::string &bug);
  bool addFollowing(const explore::Bug &bug, size_t owner);
  void countWritten(explore::Stats &stats) const;
  llvm::Error writeRow(const explore::Stats &stats); ///< of stats.csv
  bool noteFailure(llvm::Error error);
  Replayable replayable() const; ///< for the replay.sh of bugs

  FolderOptions options_;
  Directory root_, bugsDir_, testCompDir_, queueDir_;
  TestsWriter tests_;
  RunTimes times_;
  std::string failure_;
  uint64_t unwritten_ = 0; ///< tests that arrived after the failure
  bool hasLedger_ = false;
  double nextRow_ = 0; ///< of stats.csv: wall seconds of the run
  std::vector<Finding> findings_;
  SourceLines sources_; ///< of identities
  SourceCode code_{sources_};
  BugIndex bugs_;                       ///< one folder per bug, however many paths reach it
  std::map<uint64_t, size_t> ofSource_; ///< the finding of unwritten memory
};

/// The state of the folder that -o names. Free: it does not exist, or is empty. Results: it has
/// results of an earlier run. Foreign: a file of the user's has the name of a result. Other: it
/// holds anything else.
enum class FolderState : uint8_t { Free, Results, Foreign, Other };
FolderState stateOf(const std::string &path);
/// The error of a folder that an exploration may not write to.
llvm::Error checkFolder(const std::string &path, bool force);

/// Removes what explorations have left there, and nothing else. REQUIRES that the caller holds the
/// lock.
llvm::Error removeResults(const Directory &root);
/// One run at a time writes into a folder. The lock ends with the process, and with those that it
/// forked. Who has it may take `patience` to end.
llvm::Error lockFolder(const Directory &root,
                       std::chrono::milliseconds patience = std::chrono::seconds(1));

} // namespace fathom::report
#endif
