// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/SessionAdapter.h"

#include "support/Folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

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

std::optional<Error> SessionAdapter::checkThreads() {
  std::error_code ignored;
  // The kernel still lists a thread for a moment after it was joined, longer on a busy machine.
  constexpr int kMaxLooks = 1000;
  size_t threads = 0;
  for (int look = 0; look < kMaxLooks; look++) {
    threads = entriesOf("/proc/self/task", ignored).size();
    if (threads <= 1) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
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
