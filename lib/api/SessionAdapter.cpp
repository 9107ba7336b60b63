// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/SessionAdapter.h"

#include "support/Folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace fathom::api {

DeepStack::DeepStack() {
  // Linux maps nothing within about 128 MB of the main thread's stack (mmap_base), so it can grow
  // that far.
  constexpr rlim_t kStack = rlim_t(120) << 20;
  if (getrlimit(RLIMIT_STACK, &before_) != 0 || before_.rlim_cur >= kStack) return;
  rlimit raised = before_;
  raised.rlim_cur = before_.rlim_max == RLIM_INFINITY ? kStack : std::min(kStack, before_.rlim_max);
  isRaised_ = setrlimit(RLIMIT_STACK, &raised) == 0;
}

DeepStack::~DeepStack() {
  if (isRaised_) setrlimit(RLIMIT_STACK, &before_);
}

/// The kernel lists a thread for a moment after it was joined: it executes nothing of ours any
/// more.
static bool isEnding(const std::filesystem::directory_entry &task) {
  constexpr unsigned long kExiting = 4; // PF_EXITING, see include/linux/sched.h of Linux
  std::ifstream in(task.path() / "stat");
  std::string stat;
  if (!std::getline(in, stat)) return true; // it has just gone
  // Behind the name, which may hold anything: state, five numbers, flags.
  unsigned long flags = 0;
  const size_t name = stat.rfind(')');
  if (name == std::string::npos ||
      sscanf(stat.c_str() + name + 1, " %*c %*d %*d %*d %*d %*d %lu", &flags) != 1)
    return false;
  return flags & kExiting;
}

std::optional<Error> SessionAdapter::checkThreads() {
  std::error_code ignored;
  const std::vector<std::filesystem::directory_entry> all = entriesOf("/proc/self/task", ignored);
  const auto ending = std::ranges::count_if(all, isEnding);
  const size_t threads = all.size() - static_cast<size_t>(ending);
  if (threads <= 1) return std::nullopt;
  return Error{Error::Kind::Usage,
               fmt::format("the process has {} threads; this activity forks workers, which needs a "
                           "process with one thread",
                           threads)};
}

run::Limits toRunLimits(const Limits &limits) {
  run::Limits out;
  out.time = limits.time;
  if (limits.memoryBytes) out.memoryBytes = limits.memoryBytes;
  out.timeText = fmt::format("{}ms", limits.time.count());
  out.memoryText = fmt::format("{}M", limits.memoryBytes >> 20);
  return out;
}

} // namespace fathom::api
