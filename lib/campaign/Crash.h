// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an input that crashed does: run once more, alone, it tells by which signal it ends and which
// calls were active. And where an input that hung spends its time.
#ifndef FATHOM_CAMPAIGN_CRASH_H
#define FATHOM_CAMPAIGN_CRASH_H

#include "native/Process.h"

#include "llvm/Support/Error.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fathom::campaign {

struct CrashFrame {
  std::string function, file; ///< file: "" when unknown
  uint32_t line = 0, column = 0;
  bool own = true; ///< the program's, not libc's
};

struct Crash {
  std::string input; ///< the bytes
  std::string found; ///< the file that afl-fuzz has kept; `input` may be a smaller one
  int signal = 0;
  /// It did not end in five times the time of a test. `stack`: the calls in which it was whenever
  /// it was looked at, the innermost of them with the place of the first look.
  bool hangs = false;
  uint64_t address = 0; ///< of the access, for SIGSEGV and SIGBUS
  bool isWrite = false;
  bool isStackOverflow = false;
  std::string standardError;     ///< the first 64 KiB
  std::vector<CrashFrame> stack; ///< innermost first; may be empty
  /// Equal for crashes that are taken for the same: signal and the innermost five calls of own
  /// code; of hangs the functions only, because they may be anywhere in a loop.
  std::string key() const;
};

struct CrashRun {
  std::string program;                ///< the fuzzing variant
  std::vector<std::string> arguments; ///< as in AflOptions
  std::string scratch;                ///< folder for files of the run
  std::chrono::milliseconds testTime{1000};
  uint64_t testMemoryBytes = uint64_t(2) << 30;
};

/// Finds places in the source for addresses of one variant.
class Symbolizer {
public:
  explicit Symbolizer(std::string program);
  Symbolizer(Symbolizer &&) noexcept;
  ~Symbolizer();
  /// Inlined calls are frames of their own.
  void append(uint64_t address, std::vector<CrashFrame> &frames);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// How one input is run, without a bound of time. Its folder is created; a report of a crash that
/// is there from before is removed. Errors: the folder cannot be created.
llvm::Expected<native::Command> commandOf(const std::string &inputFile, const CrashRun &run);

/// Runs one input. `crash.signal` is 0 when it does not crash now. Errors: the run could not be
/// made. `stop`: ends the run; what comes out is then of no use.
llvm::Expected<Crash> examineCrash(const std::string &inputFile, const CrashRun &run,
                                   Symbolizer &symbolizer, const std::atomic<bool> *stop = nullptr);

/// Runs it three times. `crash.hangs` is false when it ends now: it was only slow, on a machine
/// that was busy. Errors: as above.
llvm::Expected<Crash> examineHang(const std::string &inputFile, const CrashRun &run,
                                  Symbolizer &symbolizer, const std::atomic<bool> *stop = nullptr);

} // namespace fathom::campaign
#endif
