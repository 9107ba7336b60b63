// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_RESULTS_H
#define FATHOM_API_RESULTS_H

/// \file
/// Results folders, read back (docs/results.md).

#include <fathom/Evidence.h>
#include <fathom/Result.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fathom::api {

/// A results folder, without its tests.
struct RunResults {
  std::string activity;              ///< that wrote it: "explore", "fuzz", "confirm"
  std::string version;               ///< the release of Fathom that wrote it
  std::vector<std::string> programs; ///< files, absolute
  std::string started;               ///< UTC, "2026-01-31T12:00:00Z"
  std::string ended;                 ///< UTC; "" if the run goes on, or was killed
  std::string howEnded;              ///< one line; "" as `ended`
  std::vector<Bug> bugs;             ///< by number
  std::vector<LedgerEntry> ledger;   ///< of an exploration that has ended, largest count first
};

/// Reads a results folder, also while a run writes it.
///
/// Errors: Usage if the folder holds no results, those of another version, or damaged ones; the
/// message names the file.
/// Threads: neither starts threads nor forks.
/// Cost: linear in the number of bugs.
Result<RunResults> readResults(const std::string &folder);

/// Reads the tests of a results folder one by one, by number; then the inputs of its bugs, whose
/// Test::number and Test::bug are those of the bug.
///
/// \param folder  The results folder of explore(), fuzz() or confirm().
/// \param visit   Called with each test; returns false to end the visit.
/// \returns       How many tests were visited.
/// Errors: Usage if the folder holds no results; Internal if a test is damaged, after those before
/// it were visited.
/// Threads: neither starts threads nor forks.
/// Memory: that of some hundred tests.
Result<uint64_t> readTests(const std::string &folder,
                           const std::function<bool(const Test &)> &visit);

} // namespace fathom::api
#endif
