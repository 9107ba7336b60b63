// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_EXPLORE_H
#define FATHOM_API_EXPLORE_H

/// \file
/// Symbolic execution of a program, as `fathom explore` does it (docs/explore.md).

#include <fathom/Evidence.h>
#include <fathom/Program.h>
#include <fathom/Result.h>
#include <fathom/Session.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fathom::api {

/// How to explore.
struct ExploreOptions {
  /// The program's arguments. Descriptions of symbolic input may stand among them, each word a
  /// string of its own: --sym-arg LEN, --sym-args MIN MAX LEN, --sym-stdin N, --sym-files COUNT
  /// SIZE,
  /// --sym-env NAME LEN (sizes in bytes).
  std::vector<std::string> arguments;
  std::vector<std::string> environment; ///< NAME=VALUE (--env)
  /// Starts at this function, with symbolic parameters (--entry); "": at main.
  std::string entry;

  /// The results folder (-o). "": results go to the callbacks and to the returned value only; a
  /// temporary folder holds them during the call.
  std::string folder;
  bool replace = false; ///< replaces the results of an earlier run in that folder (--force)
  bool resume = false;  ///< continues the run in that folder (--resume)

  Limits limits;                ///< time and memory
  uint64_t maxInstructions = 0; ///< (--max-instructions); 0: no limit. Makes runs reproducible
  uint64_t maxDepth = 0;        ///< forks on one path (--max-depth); 0: no limit
  bool stopAtFirstBug = false;  ///< (--stop-at-first-bug)
  bool onlyNewCoverage = false; ///< keeps only tests that cover something new (--only-new-coverage)
  unsigned jobs = 1;            ///< worker processes (--jobs), 1 to 256
  uint64_t seed = 1;            ///< of all random choices (--seed)
  std::string search = "random-path,covnew"; ///< which path comes next (--search)

  bool checkLeaks = true;         ///< (--check-leaks)
  bool checkOverflow = true;      ///< signed overflow (--check-overflow)
  bool checkUninitialized = true; ///< (--check-uninit)

  /// Called with each test that was written. It may set the flag of Session::stop. The inputs of
  /// bugs are not among them.
  std::function<void(const Test &)> onTest;
  /// Called with each bug that is none of those before it. It may set the flag of Session::stop.
  std::function<void(const Bug &)> onBug;
};

/// Why an exploration ended.
enum class ExploreEnd {
  Exhausted,    ///< no path is left
  Time,         ///< Limits::time
  Instructions, ///< ExploreOptions::maxInstructions
  Memory,       ///< Limits::memoryBytes
  Stopped,      ///< Session::stop
  FirstBug,     ///< ExploreOptions::stopAtFirstBug
  Failed        ///< Exploration::failure says why
};

/// Lines of one file that the exploration covered.
struct FileCoverage {
  std::string file;                ///< as in the debug information
  std::vector<uint32_t> covered;   ///< lines with code, ascending
  std::vector<uint32_t> uncovered; ///< lines with code, ascending
};

/// What an exploration found.
struct Exploration {
  ExploreEnd end = ExploreEnd::Exhausted; ///< why it ended
  std::string howEnded;                   ///< the same, as text
  /// Every path was explored, and the ledger has nothing but assumptions: under these inputs and
  /// this model of the environment, the program can do nothing else.
  bool isComplete = false;
  std::string
      failure; ///< why results are missing; those there are are right. "" if none are missing

  std::vector<Bug> bugs;           ///< each bug once, in the order in which they were found
  std::vector<LedgerEntry> ledger; ///< what is not covered, largest count first
  std::vector<FileCoverage> files; ///< coverage of the program's own code, by file name

  uint64_t paths = 0;           ///< that were completed
  uint64_t tests = 0;           ///< that were written
  uint64_t instructions = 0;    ///< that were interpreted, on all paths
  uint64_t branchesCovered = 0; ///< sides of the program's own branches that were taken
  uint64_t branchesTotal = 0;   ///< sides of the program's own branches
  uint64_t linesCovered = 0;    ///< of the program's own code
  uint64_t linesTotal = 0;      ///< of the program's own code
  double seconds = 0;           ///< wall time
};

/// Explores a program.
///
/// Errors: Usage if an option is wrong, the program cannot be loaded, or the folder cannot be used.
/// What goes wrong later is Exploration::failure.
/// Determinism: with maxInstructions, one job and the same seed, equal in every run.
/// Threads: forks `jobs` worker processes; the process must have one thread. Callbacks run in it.
/// Cost: exponential in the worst case; set a limit.
Result<Exploration> explore(const Program &program, const ExploreOptions &options = {},
                            const Session &session = {});

} // namespace fathom::api
#endif
