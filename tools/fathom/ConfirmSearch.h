// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom confirm: how a report is searched for, as the command line says it.
#ifndef FATHOM_TOOLS_CONFIRMSEARCH_H
#define FATHOM_TOOLS_CONFIRMSEARCH_H

#include "Command.h"
#include "ExploreFlags.h"

#include "confirm/Search.h"

#include <chrono>
#include <string>
#include <vector>

namespace fathom::tool {

/// The flags as written; applyConfirmSearchFlags says what they mean. Durations are parsed there.
struct ConfirmSearchFlags {
  std::string strategy = "mixed", calls = "summaries", callersTime = "3s", unboundedTime = "1s",
              deeperTime = "1s", otherSourceTime = "1s", sharedTime = "1s";
  uint64_t loopBound = 3, maxDepth = 500;
  std::string output; ///< -o; "": inputs are not kept
  std::string seeds;  ///< a folder; "": none
  bool force = false;
  bool slice = false; ///< --slice is the default: it only excludes noSlice
  bool noSlice = false;
  bool questions = false; ///< --questions is the default: it only excludes noQuestions
  bool noQuestions = false;
  bool assumesDistinctPointers = false; ///< --paper-init
};

void addConfirmSearchFlags(CLI::App &app, ConfirmSearchFlags &flags);

/// Sets what they say in `options`. Throws UsageError.
void applyConfirmSearchFlags(const ConfirmSearchFlags &flags, confirm::ConfirmOptions &options);

} // namespace fathom::tool
#endif
