// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/CheckTimes.h"

#include <gtest/gtest.h>

using namespace fathom::explore;

TEST(CheckTimes, QuantilesAreKnownToAQuarterOfAnOctave) {
  CheckTimes times;
  EXPECT_EQ(times.quantileSeconds(0.5), 0);
  for (int i = 1; i <= 1000; i++) times.add(i * 1e-6, 1);
  for (double share : {0.1, 0.5, 0.99, 1.0}) {
    EXPECT_GE(times.quantileSeconds(share), share * 1e-3);
    EXPECT_LE(times.quantileSeconds(share), share * 1e-3 * 1.2);
  }
  EXPECT_DOUBLE_EQ(times.longestSeconds, 1e-3);
  EXPECT_EQ(times.late, 0u);
}

TEST(CheckTimes, AddsUp) {
  CheckTimes all, other;
  all.add(1e-6, 1e-6);
  other.add(2e-2, 1e-3); // late
  other.add(1.05e-3, 1e-3);
  all.add(other);
  EXPECT_DOUBLE_EQ(all.longestSeconds, 2e-2);
  EXPECT_EQ(all.late, 1u);
  EXPECT_LT(all.quantileSeconds(1. / 3), 1.2e-6);
  EXPECT_GE(all.quantileSeconds(1), 2e-2);
}
