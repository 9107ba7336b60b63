// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A clock that stands still while its thread waits for a processor.
//
// Shares of time decide what a search looks at: how long a solver may take, how long a report is
// searched for. On a busy machine the wall clock would take those shares away from a thread that
// merely waits for its turn, and the result would depend on what else runs. This clock subtracts
// that waiting, which the kernel counts for each thread (run_delay, the second number of
// /proc/PID/schedstat). Time spent blocked (on a child process, on a file) counts: a wait for
// something that never comes has to end. Where the kernel does not count, this is the steady clock.
//
// Cost of now(): the steady clock's, and a few microseconds every kRefresh. It is at most kRefresh
// behind with what it subtracts. Readings of two threads cannot be compared, nor those of a process
// with its child's; `of` reads the clock of another thread.
#ifndef FATHOM_SUPPORT_WORKCLOCK_H
#define FATHOM_SUPPORT_WORKCLOCK_H

#include <algorithm>
#include <chrono>

namespace fathom {

/// What users mean by time: budgets of whole runs, and statistics.
using WallClock = std::chrono::steady_clock;

class WorkClock {
public:
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<WorkClock>;
  static constexpr bool is_steady = true;
  static constexpr std::chrono::milliseconds kRefresh{2};

  /// Of the calling thread; never goes back.
  static time_point now() {
    Reading &mine = reading();
    const duration steady = steadyNow();
    if (steady >= mine.refresh) {
      mine.delay = delayOf(0);
      mine.refresh = steady + kRefresh;
    }
    mine.last = std::max(mine.last, steady - mine.delay);
    return time_point(mine.last);
  }
  /// Of a thread, or of a process's first thread, by its number (gettid, getpid).
  static time_point of(int task) { return time_point(steadyNow() - delayOf(task)); }
  /// How long a thread has waited for a processor since it began; 0: the calling one. Zero where
  /// the kernel does not tell, or there is no such thread.
  static duration delayOf(int task);
  /// The same for a process and all that it has started and not yet waited for: of a shell that
  /// waits for a program, say.
  static duration delayOfTree(int process);

private:
  struct Reading {
    duration delay{}, refresh{}, last{};
  };
  /// The calling thread's; a forked process begins with one of its own.
  static Reading &reading();
  static duration steadyNow() { return std::chrono::steady_clock::now().time_since_epoch(); }
};

} // namespace fathom
#endif
