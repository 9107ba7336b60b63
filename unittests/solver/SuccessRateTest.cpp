// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/SuccessRate.h"

#include <gtest/gtest.h>

namespace fathom::solver::test {
namespace {

TEST(SuccessRate, WhatNeverHelpsIsTriedEachSixteenthTime) {
  SuccessRate trials;
  unsigned due = 0;
  for (int i = 0; i < 1000; i++)
    if (trials.isDue()) {
      due++;
      trials.note(false);
    }
  EXPECT_GT(due, 1000u / 16);
  EXPECT_LT(due, 1000u / 16 + 40);
}

TEST(SuccessRate, WhatHelpsNowAndThenIsAlwaysTried) {
  SuccessRate trials;
  for (int i = 0; i < 1000; i++) {
    EXPECT_TRUE(trials.isDue()) << i;
    trials.note(i % 8 == 0);
  }
}

TEST(SuccessRate, AProgramThatChangesIsNoticed) {
  SuccessRate trials;
  for (int i = 0; i < 100; i++)
    if (trials.isDue()) trials.note(false);
  for (int i = 0; i < 16; i++)
    if (trials.isDue()) trials.note(true);
  EXPECT_TRUE(trials.isDue());
}

} // namespace
} // namespace fathom::solver::test
