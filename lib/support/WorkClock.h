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
// Even so, what a search does in a second differs from run to run. Where a verdict depends on it,
// the clock counts steps instead (CountsSteps): components report their steps (spend), and every
// kind of step takes a fixed time (Steps.h). Then the same search ends at the same step in every
// run. So now() has two modes: it reads the clock of work (work(): time without waiting), or it
// counts steps. In the second mode the clock of work is a backstop: if steps turn out far slower
// than their nominal durations, now() advances with it, and isDegraded() says so.
//
// Cost of now(): the steady clock's, and a few microseconds every kRefresh. The waiting time that
// is subtracted is refreshed every kRefresh. Readings of two threads cannot be compared, nor those
// of a process with its child's; `ofTask` reads the clock of another thread.
#ifndef FATHOM_SUPPORT_WORKCLOCK_H
#define FATHOM_SUPPORT_WORKCLOCK_H

#include "support/Steps.h"

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

  /// The time of the calling thread; never goes back.
  static time_point now() {
    Reading &mine = reading();
    const duration worked = readWork(mine);
    return time_point(mine.last =
                          std::max(mine.last, mine.counts ? stepped(mine, worked) : worked));
  }
  /// The clock of work, also where the thread counts steps.
  static time_point work() { return time_point(readWork(reading())); }
  /// Converts a deadline of now() into one of work(), for code that reports no steps. They are
  /// equal, unless the thread counts steps: then the result is later, kSlack times the time left
  /// and kGrace.
  static time_point backstop(time_point deadline) {
    if (!countsSteps() || deadline == time_point::max()) return deadline;
    const duration left = std::clamp<duration>(deadline - now(), {}, std::chrono::hours(24));
    return work() + left * kSlack + kGrace;
  }

  /// For as long as one lives, the clock of its thread counts steps. Not nested. Readings from
  /// within cannot be compared with later ones.
  class CountsSteps {
  public:
    CountsSteps();
    ~CountsSteps();
    CountsSteps(const CountsSteps &) = delete;
    CountsSteps &operator=(const CountsSteps &) = delete;
  };
  static bool countsSteps() { return reading().counts; }
  /// Reports that the thread did so many steps of this kind. No effect unless it counts steps.
  static void spend(StepKind kind, uint64_t count = 1) {
    spend(timeOf(kind) * static_cast<int64_t>(count));
  }
  static void spend(duration time) { reading().spent += time; }
  /// Reports that the thread waited so long, on the clock of work, for another thread that counts
  /// its own steps. The backstop does not count this time.
  static void excludeWait(duration waited) {
    if (Reading &mine = reading(); mine.counts) mine.excluded += std::max(waited, duration::zero());
  }
  /// Reports that the backstop ended something that should have ended by its steps at `deadline`.
  /// The clock advances to the deadline, and isDegraded() is true from now on.
  static void reportOverrun(time_point deadline) {
    Reading &mine = reading();
    if (!mine.counts) return;
    mine.isDegraded = true;
    if (deadline != time_point::max()) mine.spent += std::max(deadline - now(), duration::zero());
  }
  /// Steps were so slow that the clock of work pulled this one along: another run may end
  /// elsewhere.
  static bool isDegraded() { return reading().isDegraded; }

  /// The clock of work of another thread, or of a process's first thread, by its number (gettid,
  /// getpid).
  static time_point ofTask(int task) { return time_point(steadyNow() - delayOf(task)); }
  /// How long a thread has waited for a processor since it began; 0: the calling one. Zero where
  /// the kernel does not tell, or there is no such thread.
  static duration delayOf(int task);
  /// The same for a process and all that it has started and not yet waited for: of a shell that
  /// waits for a program, say.
  static duration delayOfTree(int process);

private:
  /// Steps may take so many times their time, and this much more, before the clock of work pulls.
  static constexpr int kSlack = 5;
  static constexpr std::chrono::seconds kGrace{2};

  struct Reading {
    duration delay{}, refresh{}, last{};
    bool counts = false, isDegraded = false;
    duration begun{};    ///< reading of both clocks when counting began: they start equal
    duration spent{};    ///< since then: the nominal time of the steps
    duration excluded{}; ///< since then: time of the clock of work that does not count
  };
  static duration readWork(Reading &mine) {
    const duration steady = steadyNow();
    if (steady >= mine.refresh) {
      mine.delay = delayOf(0);
      mine.refresh = steady + kRefresh;
    }
    return steady - mine.delay;
  }
  static duration stepped(Reading &mine, duration worked) {
    const duration pulled = (worked - mine.begun - mine.excluded - kGrace) / kSlack;
    mine.isDegraded |= pulled > mine.spent;
    return mine.begun + std::max(mine.spent, pulled);
  }
  /// The calling thread's; a forked process begins with one of its own.
  static Reading &reading();
  static duration steadyNow() { return std::chrono::steady_clock::now().time_since_epoch(); }
};

} // namespace fathom
#endif
