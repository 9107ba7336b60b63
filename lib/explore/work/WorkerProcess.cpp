// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/WorkerProcess.h"

#include "support/ProcFile.h"

#include "fmt/format.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fathom::explore {

namespace {
constexpr std::chrono::seconds kGraceToStop{3}; ///< for Z3, interrupted
/// A worker that is well tells its statistics ten times a second between two turns of states, and
/// uses the processor in a turn.
constexpr std::chrono::seconds kSilence{30}, kSilenceAtEnd{4};
constexpr uint64_t kFewTicks = 2; ///< of processor time in such a silence
/// Of another machine, which says every second that it is there. What it has is then explored
/// again, so this decides no result.
constexpr std::chrono::seconds kRemoteSilence{60};

[[noreturn]] void runWorker(const program::Program &program, const ExploreOptions &options,
                            int parent, int fd, Announcements &announce) {
  // The coordinator decides when to end, also after Ctrl-C, and when Slurm or timeout(1) signals
  // all processes. A worker ends with its parent.
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, [](int) {}); // not ignored: programs that it starts would inherit that
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  const rlimit noCore{0, 0}; // of many GB, and for each worker that a bad path takes with it
  setrlimit(RLIMIT_CORE, &noCore);
  work(program, options, Channel(fd), announce);
  _exit(0);
}
} // namespace

bool WorkerProcess::start(const program::Program &program, const ExploreOptions &options,
                          const std::function<void()> &inChild, std::string &error) {
  if (!at) {
    error = "no memory for a worker";
    return false;
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
    error = fmt::format("no connection to a worker: {}", strerror(errno));
    return false;
  }
  const int parent = getpid();
  fflush(nullptr);
  pid = fork();
  if (pid < 0) {
    error = fmt::format("no worker process: {}", strerror(errno));
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  if (pid == 0) {
    close(ends[0]);
    inChild();
    runWorker(program, options, parent, ends[1], *at);
  }
  close(ends[1]);
  channel = Channel(ends[0]);
  return true;
}

void WorkerProcess::heard(WallClock::time_point now) {
  silentSince_ = {};
  heard_ = now;
}

void WorkerProcess::interrupt() const {
  if (!isRemote()) kill(pid, kInterruptWorker);
}

void WorkerProcess::end() {
  if (isRemote())
    channel.shut();
  else
    kill(pid, SIGKILL);
}

void WorkerProcess::endAndForget() {
  end();
  if (!isRemote()) waitpid(pid, nullptr, 0);
}

bool WorkerProcess::silent(WallClock::time_point now) const {
  return isRemote() && now > heard_ + kRemoteSilence;
}

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
  if (isRemote()) return static_cast<double>(remoteQueryMs) / 1000;
  const solver::RunningQuery &query = at->query;
  if (!query.hash) return 0;
  return std::chrono::duration<double>(
             clock() - solver::Clock::time_point(solver::Clock::duration(query.started)))
      .count();
}

bool WorkerProcess::overdue(WallClock::time_point now, WallClock::time_point stopAsked) {
  const solver::RunningQuery &query = at->query;
  if (isRemote() || !query.hash) return false;
  if (clock().time_since_epoch().count() > query.overdue) return true;
  return stopAsked != WallClock::time_point{} && now > stopAsked + kGraceToStop;
}

bool WorkerProcess::stuck(WallClock::time_point now, bool stopping) {
  if (isRemote() || final || (idle && !stopping) || at->query.hash) {
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
  if (isRemote()) {
    status = lostStatus.value_or(0);
    if (!lostStatus) return "the loss of its connection";
  } else {
    waitpid(pid, &status, 0);
  }
  return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                             : fmt::format("status {}", WEXITSTATUS(status));
}

WorkerEnd WorkerProcess::ended(int status) const {
  return {at->path, at->query.hash, at->query.isolated, hung, status};
}

void WorkerProcess::ended(const WorkerEnd &end) {
  at->path = end.path;
  at->query.hash = end.query;
  at->query.isolated = end.isIsolated;
  hung = end.isHung;
  lostStatus = end.status;
}

} // namespace fathom::explore
