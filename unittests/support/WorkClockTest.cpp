// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/WorkClock.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sched.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace fathom;
using namespace std::chrono_literals;

namespace {

/// Computes for so long, of wall time.
void compute(WallClock::duration time) {
  const auto end = WallClock::now() + time;
  while (WallClock::now() < end) {
  }
}

bool kernelCounts() { return access("/proc/thread-self/schedstat", R_OK) == 0; }

} // namespace

TEST(WorkClock, WaitingForAProcessorDoesNotCount) {
  if (!kernelCounts()) GTEST_SKIP() << "the kernel does not count delays";
  // Three threads on one processor: each works for a third of the time at most.
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  std::jthread others[] = {std::jthread([] { compute(900ms); }),
                           std::jthread([] { compute(900ms); })};
  const auto wall = WallClock::now();
  const auto work = WorkClock::now();
  compute(600ms);
  const auto worked = WorkClock::now() - work;
  const auto passed = WallClock::now() - wall;
  EXPECT_LT(worked, passed * 2 / 3);
  EXPECT_GT(worked, 0ns);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(WorkClock, BlockedTimeCounts) {
  const auto wall = WallClock::now();
  const auto before = WorkClock::now();
  std::this_thread::sleep_for(100ms);
  const auto counted = WorkClock::now() - before, passed = WallClock::now() - wall;
  // What passed after the sleep, before the thread got a processor, does not count.
  EXPECT_GT(counted, 90ms);
  EXPECT_LE(counted, passed);
}

TEST(WorkClock, NeverGoesBack) {
  auto last = WorkClock::now();
  for (const auto end = WallClock::now() + 50ms; WallClock::now() < end;) {
    const auto now = WorkClock::now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(WorkClock, OfAnotherProcess) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto mine = WorkClock::now().time_since_epoch().count();
    (void)!write(ends[1], &mine, sizeof mine);
    pause();
    _exit(0);
  }
  WorkClock::rep there = 0;
  ASSERT_EQ(read(ends[0], &there, sizeof there), ssize_t(sizeof there));
  const auto later = WorkClock::of(child).time_since_epoch().count();
  EXPECT_GE(later, there - WorkClock::duration(WorkClock::kRefresh).count());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(WorkClock::delayOf(child), 0ns) << "there is no such process any more";
}
