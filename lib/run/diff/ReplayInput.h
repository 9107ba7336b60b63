// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input of an old bug on the new program, in the engine: many bugs do not show in a native run
// (an overflow, a byte that was never written), and there "it did not crash" would say nothing.
#ifndef FATHOM_RUN_REPLAYINPUT_H
#define FATHOM_RUN_REPLAYINPUT_H

#include "run/diff/ResultSet.h"
#include "run/Session.h"

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace fathom::run {

enum class ReplayEnd : uint8_t {
  Fails,  ///< the same kind of bug, with the same code or in the same function
  Other,  ///< the input shows another bug
  Passes, ///< the program ends, and no bug shows
  Unknown ///< it could not be run to its end
};

struct Replayed {
  ReplayEnd end = ReplayEnd::Unknown;
  std::string text; ///< one clause
  std::string id;   ///< Fails: of the bug that shows
};

struct ReplayProgram {
  std::vector<std::string> programs; ///< of the new version, as explore takes them
  std::chrono::milliseconds time{30000};
};

/// Interprets `result.input` in a child. A bug of explore is followed with the options of its run
/// (`analysis`), and with it what other inputs of the same path show; any other input is run as it
/// is. `others`: ids of bugs that are known to be other ones. Cost: loading the program, and
/// interpreting one path.
Replayed replayInput(const KnownResult &result, const Analysis &analysis,
                     const ReplayProgram &program, const std::set<std::string> &others,
                     Session &session);

} // namespace fathom::run
#endif
