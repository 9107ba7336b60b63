// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an input that crashed does: run once more, alone, it tells by which signal it ends and which
// calls were active. And where an input that hung spends its time.
#ifndef FATHOM_CAMPAIGN_CRASH_H
#define FATHOM_CAMPAIGN_CRASH_H

#include "evidence/Fwd.h"
#include "evidence/StackFrame.h"
#include "native/Process.h"

#include "llvm/Support/Error.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fathom::campaign {

/// What a run that checks every access says of a crash: the first thing that goes wrong, which may
/// be long before a signal shows it.
struct Diagnosis {
  evidence::BugKind kind{};
  std::string message;
  std::vector<evidence::StackFrame> stack;   ///< innermost first
  std::vector<evidence::StackFrame> related; ///< where the object was allocated or freed
};

struct Crash {
  std::string input; ///< the bytes
  std::string found; ///< the file that afl-fuzz has kept; `input` may be a smaller one
  int signal = 0;
  /// It did not end in five times the time of a test. `stack`: the calls in which it was whenever
  /// it was looked at, the innermost of them with the place of the first look.
  bool hangs = false;
  uint64_t address = 0; ///< of the access, for SIGSEGV and SIGBUS; 0 when `isNoAddress`
  /// The address was none that a processor has (a pointer that was overwritten, mostly): the kernel
  /// does not say which, nor whether it was read or written.
  bool isNoAddress = false;
  bool isWrite = false;
  bool isStackOverflow = false;
  /// libc's allocator noticed that its own data is broken, or stumbled over it: what broke it has
  /// happened before, somewhere else.
  bool isHeapBroken = false;
  /// What a sanitizer calls the check that failed ("heap-buffer-overflow"); it is the diagnosis
  /// then. Empty: the processor, or the program itself, ended the run.
  std::string check;
  std::string standardError;               ///< the first 64 KiB
  std::vector<evidence::StackFrame> stack; ///< innermost first; may be empty
  std::optional<Diagnosis> diagnosis;
  /// Equal for crashes that are taken for the same: kind and the innermost five calls of own code
  /// of the diagnosis, where there is one; otherwise symptom().
  std::string key() const;
  /// Signal, whether the access was a read, a write, through a null pointer or beyond the stack,
  /// and the innermost five calls of own code; of hangs the functions only, because they may be
  /// anywhere in a loop.
  std::string symptom() const;
  bool isFault() const; ///< an access that the processor refused
  bool isNullAccess() const;
};

/// Runs a crash's input again and says what goes wrong in it: what the crash comes of, or
/// everything that it may come of as well. Empty: not found, or not what the crash comes of. Must
/// come to an end by itself, and soon when *stop becomes true.
using Diagnose =
    std::function<std::vector<Diagnosis>(const Crash &, const std::atomic<bool> *stop)>;

struct CrashRun {
  std::string program;                ///< the fuzzing variant
  std::vector<std::string> arguments; ///< as in AflOptions
  std::string scratch;                ///< folder for files of the run
  std::chrono::milliseconds testTime{1000};
  uint64_t testMemoryBytes = uint64_t(2) << 30;
  /// The variant has AddressSanitizer, whose shadow takes 16 TiB of address space: the bound is one
  /// of what the program allocates.
  bool boundsHeap = false;
};

/// Finds places in the source for addresses of one variant.
class Symbolizer {
public:
  /// `ownFunctions`: the program's, which may have been compiled without debug information.
  Symbolizer(std::string program, std::set<std::string> ownFunctions);
  Symbolizer(Symbolizer &&) noexcept;
  ~Symbolizer();
  /// Inlined calls are frames of their own.
  void append(uint64_t address, std::vector<evidence::StackFrame> &frames);

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
