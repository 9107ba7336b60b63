// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom confirm: how a report is searched for, as the command line says it.
#ifndef FATHOM_TOOLS_CONFIRMSEARCH_H
#define FATHOM_TOOLS_CONFIRMSEARCH_H

#include "Command.h"
#include "ExploreFlags.h"

#include "confirm/Rounds.h"
#include "confirm/Search.h"

#include <chrono>
#include <string>
#include <vector>

namespace fathom::tool {

struct ConfirmSearchFlags {
  std::string strategy = "mixed", calls = "summaries", callersTime = "3s", unboundedTime = "1s",
              deeperTime = "1s", otherSourceTime = "1s";
  uint64_t loopBound = 3, maxDepth = 500;
  std::string output; ///< -o; "": inputs are not kept
  bool force = false, slice = false, noSlice = false, paperInit = false;
};

void addConfirmSearchFlags(CLI::App &app, ConfirmSearchFlags &flags);

/// Sets what they say in `options`, and what the program is started with: --sym-args and the like,
/// and what stands after "--". Throws UsageError.
void applyConfirmSearchFlags(const ConfirmSearchFlags &flags, const std::string &program,
                             const Invocation &invocation, confirm::ConfirmOptions &options);

/// One of so many parts of the time that is left; 0: no bound.
std::chrono::milliseconds partOf(const confirm::Deadline &until, int parts);

struct AnalysedProgram {
  program::Program program;
  /// What the pointer analysis says of its calls. Nothing where none are to be skipped, and where
  /// the analysis was cut: then all are executed.
  confirm::CallEffects effects;
  bool isCut = false; ///< the analysis did not end in its time
};
/// The pointer analysis gets half of the time that is left. Throws UsageError.
AnalysedProgram loadAnalysed(const ExploreFlags &explore, const ConfirmSearchFlags &flags,
                             const confirm::Deadline &until, Context &context);

} // namespace fathom::tool
#endif
