// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/Activity.h"

#include "native/Process.h"
#include "run/Failure.h"
#include "support/ProcFile.h"
#include "support/TextError.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace fathom::run {

llvm::Expected<Activity> Activity::start(std::string name, const std::function<int()> &work) {
  const int parent = getpid();
  fflush(nullptr);
  const int pid = fork();
  if (pid < 0) return textError(fmt::format("no process for {}: {}", name, strerror(errno)));
  if (pid == 0) {
    setpgid(0, 0); // Ctrl-C is for the supervisor, which ends its parts in order
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(0);
    const int status = work();
    fflush(nullptr);
    _exit(status);
  }
  // Parent and child both do this, because either may run first.
  setpgid(pid, pid);
  return Activity(std::move(name), pid);
}

Activity::Activity(Activity &&other) noexcept
    : name_(std::move(other.name_)), pid_(std::exchange(other.pid_, -1)), ended_(other.ended_),
      status_(other.status_), seconds_(other.seconds_) {}

Activity::~Activity() {
  if (pid_ < 0 || isOver()) return;
  kill();
  waitpid(pid_, nullptr, 0);
}

bool Activity::isOver() {
  if (ended_ || pid_ < 0) return true;
  int status = 0;
  const int which = waitpid(pid_, &status, WNOHANG);
  if (which == 0 || (which < 0 && errno == EINTR)) return false;
  ended_ = status_ = which == pid_ ? status : 0;
  return true;
}

std::string Activity::failure() const {
  if (!ended_ || (WIFEXITED(status_) && WEXITSTATUS(status_) == 0)) return "";
  if (WIFSIGNALED(status_))
    return fmt::format("ended by {}", native::signalName(WTERMSIG(status_)));
  return fmt::format("ended with status {}", WEXITSTATUS(status_));
}

std::vector<int> Activity::processes() const {
  std::vector<int> all;
  if (pid_ > 0 && !ended_) all.push_back(pid_);
  for (size_t i = 0; i < all.size(); i++)
    for (const int child : childrenOf(all[i])) all.push_back(child);
  return all;
}

double Activity::processorSeconds() {
  uint64_t ticks = 0;
  for (const int pid : processes()) ticks += processorTicks(pid, /*withEnded=*/true);
  const double sum = static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
  // The time of a process that ended and that no process waited for is missing in the sum, which
  // must not fall for that reason.
  return seconds_ = std::max(seconds_, sum);
}

void Activity::end() {
  if (pid_ > 0 && !ended_) ::kill(pid_, SIGTERM);
}

void Activity::kill() {
  for (const int pid : processes()) ::kill(pid, SIGKILL);
}

} // namespace fathom::run
