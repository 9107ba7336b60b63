// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom repair: exploring a patched program around the tests that failed before the patch.
#ifndef FATHOM_RUN_REPAIREXPLORE_H
#define FATHOM_RUN_REPAIREXPLORE_H

#include "run/repair/RepairProgram.h"

#include <set>

namespace fathom::run {

/// Explores as a child process: its memory is bounded, a patched program that brings it down ends
/// nothing else, and an exploration leaves nothing behind for the next. It begins from what each
/// failing test gave the program: standard input of the same length, with the test's as a seed and
/// the test's arguments; or, where it read none, arguments of the same lengths.
class RepairExplorer {
public:
  /// \param time  of one patch; 0: nothing is explored.
  RepairExplorer(const RepairProgram &program, std::chrono::milliseconds time, Session &session);

  /// How many runs of failing tests there are to explore from.
  size_t runs() const { return runs_.size(); }
  /// A bug that the program has there, "division-by-zero in main at x.c:7"; "": none was found.
  /// What could not be explored is warned about, once for each reason.
  llvm::Expected<std::string> bug(const std::string &program);

private:
  llvm::Expected<std::string> exploreFrom(size_t run, const std::string &program);

  std::vector<RecordedRun> runs_;
  std::string scratch_, copy_;
  std::chrono::milliseconds time_;
  Session &session_;
  std::set<std::string> told_;
};

} // namespace fathom::run
#endif
