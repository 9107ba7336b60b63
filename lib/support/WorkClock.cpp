// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/WorkClock.h"

#include "support/ProcFile.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

namespace fathom {

WorkClock::Reading &WorkClock::reading() {
  thread_local Reading mine;
  // What the parent's thread waited is nothing to the child's.
  static const int isRegistered = pthread_atfork(nullptr, nullptr, [] { reading() = {}; });
  (void)isRegistered;
  return mine;
}

WorkClock::CountsSteps::CountsSteps() {
  Reading &mine = reading();
  mine.begun = mine.last = std::max(mine.last, readWork(mine));
  mine.spent = mine.excluded = {};
  mine.isDegraded = false;
  mine.counts = true;
}

WorkClock::CountsSteps::~CountsSteps() {
  Reading &mine = reading();
  mine.counts = false;
  mine.last = {}; // steps may have run ahead
}

// A process that was forked is another thread, so nothing is kept open.
WorkClock::duration WorkClock::delayOf(int task) {
  char path[48] = "/proc/thread-self/schedstat";
  if (task) std::snprintf(path, sizeof path, "/proc/%d/schedstat", task);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  char text[80];
  const ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return {};
  text[length] = 0;
  char *second = nullptr;
  (void)std::strtoull(text, &second, 10); // time on a processor
  return duration(static_cast<rep>(std::strtoull(second, nullptr, 10)));
}

WorkClock::duration WorkClock::delayOfTree(int process) {
  duration longest = delayOf(process);
  for (const int child : childrenOf(process)) longest = std::max(longest, delayOfTree(child));
  return longest;
}

} // namespace fathom
