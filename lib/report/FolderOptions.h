// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_REPORT_FOLDEROPTIONS_H
#define FATHOM_REPORT_FOLDEROPTIONS_H

#include "explore/Options.h"
#include "explore/Results.h"
#include "report/Dismissals.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::report {

struct Finding; ///< Sarif.h

/// What a results folder is made for.
struct FolderOptions {
  std::string path;
  bool force = false;       ///< replace what an earlier run left there
  bool testFolders = false; ///< a folder for every test; otherwise only for those that cover
                            ///< something new, and the others go into the store
  bool testComp = false;
  bool aflQueue = false; ///< also queue/, for afl-fuzz -F: inputs that cover something new
  /// What tests may take. After that only tests that cover something new are written; how many
  /// were not is in the ledger. 0: half of what is free on the disk, inodes too.
  uint64_t maxDiskBytes = 0;
  std::vector<std::string> commandLine; ///< for run.json
  std::vector<std::string> programs;    ///< as the user named it, absolute
  uint64_t programFingerprint = 0;      ///< see program/Fingerprint.h
  std::string nativeProgram; ///< executable that replay.sh runs, absolute; empty when there is none
  std::string workingDirectory; ///< whose real files the program could read, absolute; empty: none
  const explore::ExploreOptions *options = nullptr; ///< outlives the folder
  Dismissals dismissals;                            ///< of the project
  std::function<void(const explore::Stats &)> progress;
  std::function<void(int fd, const std::string &)> echo;
  /// Told of each test that was written, with its number and the folder of the bug that it ends in
  /// (""); and of each bug that is none of those before it.
  std::function<void(uint64_t number, const explore::TestCase &, const std::string &bug)> onTest;
  std::function<void(const Finding &)> onFinding;
  std::function<void(const explore::TestCase &)> onInput; ///< ResultSink::onInput
};

} // namespace fathom::report
#endif
