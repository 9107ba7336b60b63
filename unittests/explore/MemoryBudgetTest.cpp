// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --max-memory divided: nothing is promised twice, and what is proposed after a run that could not
// begin is enough to begin.
#include "explore/MemoryBudget.h"

#include <gtest/gtest.h>

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
      EXPECT_GE(MemoryBudget(least << 20, workers).workerBytes() * workers, (peakMb + workers * 8)
                                                                                << 20)
          << peakMb << " MB, " << workers << " workers";
    }
}

} // namespace
