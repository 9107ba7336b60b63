// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/WorkClock.h"

#include "support/ProcFile.h"

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

/// ... of the thread's own work, however busy the machine is.
void work(WorkClock::duration time) {
  const auto end = WorkClock::work() + time;
  while (WorkClock::work() < end) {
  }
}

/// Everything that this process starts from here on computes on one processor, until the end.
class OneProcessor {
public:
  OneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    int first = 0;
    while (!CPU_ISSET(first, &before_)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }

private:
  cpu_set_t before_;
};

bool kernelCounts() { return access("/proc/thread-self/schedstat", R_OK) == 0; }

} // namespace

TEST(WorkClock, WaitingForAProcessorDoesNotCount) {
  if (!kernelCounts()) GTEST_SKIP() << "the kernel does not count delays";
  // Three threads on one processor: each works for a third of the time at most.
  const OneProcessor one;
  std::jthread others[] = {std::jthread([] { compute(900ms); }),
                           std::jthread([] { compute(900ms); })};
  const auto wall = WallClock::now();
  const auto work = WorkClock::now();
  compute(600ms);
  const auto worked = WorkClock::now() - work;
  const auto passed = WallClock::now() - wall;
  EXPECT_LT(worked, passed * 2 / 3);
  EXPECT_GT(worked, 0ns);
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
  if (!kernelCounts()) GTEST_SKIP() << "the kernel does not count delays";
  const OneProcessor one;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto begin = WallClock::now();
  const pid_t child = fork();
  if (child == 0) {
    compute(600ms); // half of it waiting for the parent
    const auto mine = WorkClock::now().time_since_epoch().count();
    (void)!write(ends[1], &mine, sizeof mine);
    pause();
    _exit(0);
  }
  compute(600ms);
  WorkClock::rep there = 0;
  ASSERT_EQ(read(ends[0], &there, sizeof there), ssize_t(sizeof there));
  const WorkClock::duration delay = WorkClock::delayOf(child), passed = WallClock::now() - begin;
  EXPECT_GT(delay, passed / 8);
  EXPECT_LT(delay, passed);
  // Read from outside, a moment later, it is the same clock.
  const auto later = WorkClock::ofTask(child).time_since_epoch().count();
  EXPECT_GE(later, there - WorkClock::duration(WorkClock::kRefresh).count());
  EXPECT_LT(later, there + WorkClock::duration(passed).count());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(WorkClock::delayOf(child), 0ns) << "there is no such process any more";
}

TEST(WorkClock, AChildBeginsWithADelayOfItsOwn) {
  if (!kernelCounts()) GTEST_SKIP() << "the kernel does not count delays";
  const OneProcessor one;
  {
    std::jthread other([] { compute(400ms); });
    compute(400ms); // this thread's delay grows
  }
  (void)WorkClock::now();
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    const auto wall = WallClock::now();
    const auto work = WorkClock::now();
    while (WallClock::now() - wall < 3 * WorkClock::kRefresh) {
    }
    const auto worked = WorkClock::now() - work;
    _exit(worked <= WallClock::now() - wall ? 0 : 1);
  }
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "its clock jumped forward";
}

TEST(WorkClock, OfATreeIsNeverMoreThanHasPassed) {
  if (!kernelCounts()) GTEST_SKIP() << "the kernel does not count delays";
  const OneProcessor one;
  const auto begin = WallClock::now();
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 4; ++i)
      if (fork() == 0) {
        compute(10s);
        _exit(0);
      }
    pause();
    _exit(0);
  }
  std::this_thread::sleep_for(500ms);
  const WorkClock::duration delay = WorkClock::delayOfTree(child);
  EXPECT_GT(delay, 50ms) << "that of the one which waited longest";
  EXPECT_LE(delay, WallClock::now() - begin);
  for (const int grandchild : childrenOf(child)) kill(grandchild, SIGKILL);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(WorkClock, CountsWhatIsSpentWhereStepsCount) {
  const WorkClock::CountsSteps counting;
  EXPECT_TRUE(WorkClock::countsSteps());
  const auto begun = WorkClock::now();
  work(50ms);
  EXPECT_EQ(WorkClock::now(), begun) << "no step was done";
  WorkClock::spend(StepKind::Query, 1000);
  WorkClock::spend(3ms);
  EXPECT_EQ(WorkClock::now() - begun, 1000 * timeOf(StepKind::Query) + 3ms);
  EXPECT_FALSE(WorkClock::isDegraded());
  EXPECT_GE(WorkClock::work(), begun + 20ms) << "the clock of work goes on";
}

TEST(WorkClock, CountsStepsInOneThreadAndForAScopeOnly) {
  {
    const WorkClock::CountsSteps counting;
    bool elsewhere = true;
    std::jthread([&] { elsewhere = WorkClock::countsSteps(); }).join();
    EXPECT_FALSE(elsewhere);
    WorkClock::spend(1h);
  }
  EXPECT_FALSE(WorkClock::countsSteps());
  const auto begun = WorkClock::now();
  WorkClock::spend(1h);
  work(20ms);
  EXPECT_GT(WorkClock::now(), begun);
  EXPECT_LT(WorkClock::now() - begun, 10min);
}

TEST(WorkClock, StepsThatTakeFarTooLongArePulledAlong) {
  // A loop that reports no steps would never reach its deadline. Two seconds and more are free.
  const WorkClock::CountsSteps counting;
  const auto begun = WorkClock::now();
  work(2500ms);
  EXPECT_GT(WorkClock::now(), begun);
  EXPECT_LT(WorkClock::now() - begun, 500ms);
  EXPECT_TRUE(WorkClock::isDegraded());
}

TEST(WorkClock, ABackstopIsFarBehindADeadlineOfSteps) {
  const auto now = WorkClock::now();
  EXPECT_EQ(WorkClock::backstop(now + 1s), now + 1s) << "time is not counted in steps";
  const WorkClock::CountsSteps counting;
  EXPECT_GE(WorkClock::backstop(WorkClock::now() + 1s), WorkClock::work() + 4s);
  EXPECT_EQ(WorkClock::backstop(WorkClock::time_point::max()), WorkClock::time_point::max());
}
