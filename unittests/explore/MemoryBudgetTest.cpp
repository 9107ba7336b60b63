// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --max-memory divided: nothing is promised twice, and what is proposed after a run that could not
// begin is enough to begin.
#include "explore/work/MemoryBudget.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace fathom::explore;

namespace {

TEST(MemoryBudget, WorkersAndTheirSolversFit) {
  for (uint64_t mb : {300, 1000, 20'000})
    for (unsigned workers : {1u, 2u, 5u}) {
      const MemoryBudget budget(mb << 20, workers);
      const uint64_t each = budget.workerBytes() + (budget.solverMb() << 20);
      EXPECT_LE(each * workers, mb << 20) << mb << " MB, " << workers << " workers";
      EXPECT_GE(each * workers, (mb << 20) / 4 * 3) << mb << " MB, " << workers << " workers";
    }
  EXPECT_EQ(MemoryBudget(0, 2).workerBytes(), 0u); // no bound
}

TEST(MemoryBudget, WhatIsProposedIsEnoughToBegin) {
  for (uint64_t peakMb : {20, 90, 130})
    for (unsigned workers : {1u, 2u, 5u}) {
      const uint64_t least = leastMemoryMb(peakMb << 20, workers);
      EXPECT_EQ(least % 10, 0u);
      // What the run that failed had, and some states for each worker.
      EXPECT_GE(MemoryBudget(least << 20, workers).workerBytes() * workers,
                (peakMb + uint64_t(workers) * 8) << 20)
          << peakMb << " MB, " << workers << " workers";
    }
}

TEST(MemoryBudget, ChildrenOfWorkersCount) {
  constexpr size_t kTaken = size_t(64) << 20;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t worker = fork();
  if (worker == 0) { // a worker that has asked something in a child process
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      void *pages =
          mmap(nullptr, kTaken, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      memset(pages, 1, kTaken);
      if (write(ready[1], "x", 1) != 1) _exit(1);
    }
    for (;;) pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  MemoryBudget without(uint64_t(1) << 30, 1), with(uint64_t(1) << 30, 1);
  without.look({});
  with.look({worker});
  kill(worker, SIGKILL);
  waitpid(worker, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
  EXPECT_LT(with.workerBytes() + kTaken / 4 * 3, without.workerBytes());
}

} // namespace
