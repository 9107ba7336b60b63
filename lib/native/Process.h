// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Child processes with limits that hold: everything Fathom runs that is not Fathom goes through
// here.
//
//   Outcome o = run({.program = "/bin/true", .arguments = {"true"}, .limits = {.wall = 10s}});
//
// A child gets its own session, so that it has no terminal and is killed together with what it
// started; no core dumps; no address space randomisation (two runs of a program see the same
// addresses); and dies with us. Not held: a descendant that opens a session of its own survives its
// parent.
#ifndef FATHOM_NATIVE_PROCESS_H
#define FATHOM_NATIVE_PROCESS_H

#include "llvm/Support/Error.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fathom::native {

/// 0 everywhere: no limit.
struct Limits {
  uint64_t cpuSeconds = 0;
  uint64_t memoryBytes =
      0; ///< address space (not for programs built with sanitizers, which reserve terabytes)
  uint64_t fileBytes = 0;            ///< of any one file that the child writes
  std::chrono::milliseconds wall{0}; ///< without what it waits for a processor (WorkClock.h)
};

struct Command {
  std::string program; ///< path of the executable; no search along PATH (see findProgram)
  std::vector<std::string> arguments;   ///< argv, argv[0] first (it need not be the path)
  std::vector<std::string> environment; ///< NAME=VALUE, nothing else is passed on
  bool inheritEnvironment = false;      ///< ours first, then `environment`
  std::string directory;                ///< working directory; empty: ours
  std::string stdinFile;                ///< empty: /dev/null
  std::string stdoutFile, stderrFile;   ///< created or truncated; empty: /dev/null. The same name
                                        ///< twice shares one description.
  bool captureOutput = false;           ///< stdout and stderr into Outcome::output instead
  bool keepRandomization = false;
  /// A program that is analysed: what would change the machine is refused (Restrict.h). Every child
  /// loses root's rights over the machine as such.
  bool isSubject = false;
  bool isTraced = false; ///< by the thread that starts it (TracedRun.h)
  std::vector<std::pair<int, int>>
      descriptors; ///< (ours, the child's), besides 0..2; all others are closed
  Limits limits;
};

struct Outcome {
  enum class Kind : uint8_t { Exited, Signalled, TimedOut, Stopped, NotStarted };
  Kind kind = Kind::NotStarted;
  int status = 0;     ///< exit status, or the signal
  double seconds = 0; ///< wall time
  double cpuSeconds = 0;
  /// Largest resident set. The kernel counts what the child was before it became the program, that
  /// is us: never below our own size.
  uint64_t peakMemoryBytes = 0;
  std::string output; ///< captureOutput: the first 256 KiB
  std::string error;  ///< NotStarted: why, one line

  bool ok() const { return kind == Kind::Exited && status == 0; }
};
/// "exit status 1", "signal SIGSEGV", "no end after 10 s", or why it did not start.
std::string describe(const Outcome &outcome);
/// "SIGSEGV", or "signal 77" when it has no name.
std::string signalName(int signal);

/// A running child. Killed when it goes out of scope.
class Child {
public:
  static llvm::Expected<Child> start(const Command &command);
  Child(Child &&other) noexcept;
  Child &operator=(Child &&other) noexcept;
  ~Child();

  int pid() const { return pid_; }
  /// Waits for the end; kills the group at the wall limit or when *stop becomes true.
  Outcome wait(const std::atomic<bool> *stop = nullptr);
  /// Waits at most this long; false when it still runs.
  bool waitFor(std::chrono::milliseconds time);
  void kill();

private:
  Child() = default;
  Outcome reap(Outcome::Kind forced, bool isForced);

  int pid_ = -1, pidFd_ = -1, captureFd_ = -1;
  std::chrono::milliseconds wall_{0};
  std::chrono::steady_clock::time_point started_;
};

/// Starts and waits. Threads: safe (several threads may run children at once). Cost: about 0.5 ms
/// beside the child itself.
Outcome run(const Command &command, const std::atomic<bool> *stop = nullptr);

/// The first executable of this name along PATH, or "".
std::string findProgram(const std::string &name);

} // namespace fathom::native
#endif
