// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom replay: the native trace variant, and every test on it.
#ifndef FATHOM_RUN_REPLAY_H
#define FATHOM_RUN_REPLAY_H

#include "report/ReplayReport.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <string>
#include <vector>

namespace fathom::run {

struct ReplayRequest {
  std::string program;               ///< the one that was explored
  std::string folder;                ///< with results, or of one test
  std::string binary;                ///< run this build instead; "": a variant of the program
  std::vector<std::string> writable; ///< with `binary`: folders that tests may change
  unsigned jobs = 1;
  std::chrono::milliseconds testTime{10000}, maxTime{0}; ///< of one test, of all; 0: no bound
  uint64_t testMemoryBytes = uint64_t(2) << 30;
  size_t sample = 0; ///< of the tests in the store, so many; 0: all
};

struct ReplayedTests {
  report::ReplayResult result;
  report::ReplayTotals totals;
  report::NativeVariant variant;     ///< the trace variant, when that ran
  bool isTraced = false;             ///< it ran
  std::string executable;            ///< what ran
  std::string shownProgram;          ///< what ran, for people
  std::string resultName;            ///< of the file in the folder
  std::string notWritten;            ///< why the results are not all written; "": they are
  std::vector<std::string> warnings; ///< to be told after the result

  const program::TraceLayout *layout() const { return isTraced ? &variant.layout : nullptr; }
};

/// Runs the tests and writes replay.json and coverage into the folder, unless that is one test's.
/// A UsageError: the folder is not of this program, nothing could be run.
llvm::Expected<ReplayedTests> replayTests(const ReplayRequest &request, Session &session);

} // namespace fathom::run
#endif
