// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/NumberText.h"

#include <gtest/gtest.h>

using namespace fathom;

TEST(NumberText, Grouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(0.04), "0.0");
  EXPECT_EQ(grouped(7), "7");
  EXPECT_EQ(grouped(7.26), "7.3");
  EXPECT_EQ(grouped(9.97), "10");
  EXPECT_EQ(grouped(999.6), "1,000");
  EXPECT_EQ(grouped(1234567.4), "1,234,567");
  EXPECT_EQ(grouped(-12345), "-12,345");
}

TEST(NumberText, Counted) {
  EXPECT_EQ(counted(0, "bug"), "0 bugs");
  EXPECT_EQ(counted(1, "bug"), "1 bug");
  EXPECT_EQ(counted(12345, "path"), "12,345 paths");
}

TEST(NumberText, PlainCountsHaveNoCommas) {
  EXPECT_EQ(plainCount(0, "byte"), "0 bytes");
  EXPECT_EQ(plainCount(1, "byte"), "1 byte");
  EXPECT_EQ(plainCount(4096, "byte"), "4096 bytes");
}

TEST(NumberText, BothEndsOfARangeAreWrittenAlike) {
  EXPECT_EQ(rangeText(5, 5.02), "5.0 to 5.0");
  EXPECT_EQ(rangeText(5, 7), "5 to 7");
  EXPECT_EQ(rangeText(5, 1234), "5 to 1,234");
  EXPECT_EQ(rangeText(0, 12.5), "0 to 12");
  EXPECT_EQ(rangeText(5.25, 1234), "5.2 to 1,234");
  EXPECT_EQ(rangeText(142.4, 148.6), "142 to 149");
}
