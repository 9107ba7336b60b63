// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/WorkerProcess.h"

#include "support/ProcFile.h"

#include "fmt/format.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>

namespace fathom::explore {

namespace {
constexpr std::chrono::seconds kGraceToStop{3}; ///< for Z3, interrupted
/// A worker that is well tells its statistics ten times a second between two turns of states, and
/// uses the processor in a turn.
constexpr std::chrono::seconds kSilence{30}, kSilenceAtEnd{4};
constexpr uint64_t kFewTicks = 2; ///< of processor time in such a silence
} // namespace

SharedAnnouncements::SharedAnnouncements() {
  void *page = mmap(nullptr, sizeof(Announcements), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  // Where there is no page, a fork will not succeed either, and that is said then.
  place_ = page == MAP_FAILED ? nullptr : new (page) Announcements;
}

SharedAnnouncements::~SharedAnnouncements() {
  if (place_) munmap(place_, sizeof(Announcements));
}

/// On the worker's clock, less what the child process that it asks has waited for a processor. That
/// stays subtracted when the child has ended, until the worker is in another query.
solver::Clock::time_point WorkerProcess::clock() {
  const uint64_t query = at->query.hash;
  if (timedQuery_ != query) childDelay_ = {};
  timedQuery_ = query;
  if (at->query.isolated)
    for (const int child : childrenOf(pid))
      childDelay_ = std::max(childDelay_, solver::Clock::delayOf(child));
  return solver::Clock::ofTask(pid) - childDelay_;
}

double WorkerProcess::querySeconds() {
  const solver::RunningQuery &query = at->query;
  if (!query.hash) return 0;
  return std::chrono::duration<double>(
             clock() - solver::Clock::time_point(solver::Clock::duration(query.started)))
      .count();
}

bool WorkerProcess::overdue(WallClock::time_point now, WallClock::time_point stopAsked) {
  const solver::RunningQuery &query = at->query;
  if (!query.hash) return false;
  if (clock().time_since_epoch().count() > query.overdue) return true;
  return stopAsked != WallClock::time_point{} && now > stopAsked + kGraceToStop;
}

bool WorkerProcess::stuck(WallClock::time_point now, bool stopping) {
  if (final || (idle && !stopping) || at->query.hash) {
    silentSince_ = {};
    return false;
  }
  if (silentSince_ == WallClock::time_point{}) {
    silentSince_ = now;
    ticksThen_ = processorTicks(pid);
    return false;
  }
  if (now < silentSince_ + (stopping ? kSilenceAtEnd : kSilence)) return false;
  if (processorTicks(pid) <= ticksThen_ + kFewTicks) return true;
  silentSince_ = {};
  return false;
}

std::string WorkerProcess::reap(int &status) const {
  waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                             : fmt::format("status {}", WEXITSTATUS(status));
}

} // namespace fathom::explore
