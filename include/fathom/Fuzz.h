// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_FUZZ_H
#define FATHOM_API_FUZZ_H

/// \file
/// Fuzzing with AFL++, as `fathom fuzz` does it (docs/fuzz.md).

#include <fathom/Evidence.h>
#include <fathom/Program.h>
#include <fathom/Result.h>
#include <fathom/Session.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fathom::api {

/// How to fuzz. At least one of maxTime, maxExecutions, maxUnits and Session::stop has to be given.
struct FuzzOptions {
  std::string folder;                 ///< the results folder (-o)
  bool replace = false;               ///< replaces the results in that folder (--force)
  bool resume = false;                ///< continues the campaign in that folder (--resume)
  std::vector<std::string> arguments; ///< of the program; "@@" stands for the input file
  std::string corpus;           ///< a folder of inputs to begin with (--corpus); "": one short line
  std::optional<uint64_t> seed; ///< of AFL++ (--seed); none: AFL++ chooses
  unsigned jobs = 1;            ///< fuzzers in parallel (--jobs), 1 to 64

  /// The length of a sampling unit in executions (--unit Nexecs); 0: unitTime is its length.
  uint64_t unitExecutions = 0;
  std::chrono::milliseconds unitTime{
      10000}; ///< the length of a sampling unit (--unit), at least 100 ms

  std::chrono::milliseconds maxTime{0}; ///< from the first execution on (--max-time); 0: no limit
  uint64_t maxExecutions = 0;           ///< of the whole campaign (--max-executions); 0: no limit
  uint64_t maxUnits = 0;                ///< complete ones (--max-units); 0: no limit
  std::chrono::milliseconds testTime{1000};     ///< of one execution (--test-time), 20 ms to 1 h
  uint64_t testMemoryBytes = uint64_t(2) << 30; ///< of one execution (--test-memory)
};

/// What a campaign did.
struct FuzzResult {
  std::string howEnded;        ///< one line
  std::string failure;         ///< what is missing through Fathom's own fault; "" if nothing is
  std::vector<Bug> bugs;       ///< crashes and hangs with different stacks, of the whole campaign
  double seconds = 0;          ///< of this call, from its first execution on
  uint64_t executions = 0;     ///< of the whole campaign
  uint64_t units = 0;          ///< complete sampling units
  uint64_t branchesFound = 0;  ///< sides of the program's own branches
  uint64_t branchesTotal = 0;  ///< sides of the program's own branches
  uint64_t blocksFound = 0;    ///< basic blocks of the program's own code
  uint64_t blocksTotal = 0;    ///< basic blocks of the program's own code
  uint64_t crashingInputs = 0; ///< that AFL++ has kept
  uint64_t hangingInputs = 0;  ///< that AFL++ has kept
};

/// Runs a campaign until a limit or Session::stop ends it.
///
/// Errors: Usage if an option is wrong, AFL++ is not installed, the program is not one executable,
/// .bc or C file, the folder cannot be used, or no initial input ends normally.
/// Determinism: none; AFL++ depends on time.
/// Threads: starts and ends threads, one of which calls Session::progress, and forks processes.
Result<FuzzResult> fuzz(const Program &program, const FuzzOptions &options,
                        const Session &session = {});

} // namespace fathom::api
#endif
