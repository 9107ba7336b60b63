// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/AlarmText.h"

#include <gtest/gtest.h>

namespace fathom::statics {
namespace {

using abstract::Progression;
using abstract::Stretch;

std::string between(unsigned width, uint64_t lo, uint64_t hi) {
  return numberInWords(Progression::between(width, lo, hi));
}

TEST(AlarmTextTest, NumbersInWords) {
  EXPECT_EQ(numberInWords(Progression::of(32, 5)), "5");
  EXPECT_EQ(numberInWords(Progression::of(32, uint64_t(-5) & 0xffffffff)), "-5");
  EXPECT_EQ(numberInWords(Progression::top(32)), "any number");
  EXPECT_EQ(between(32, 0, 7), "0 to 7");
  EXPECT_EQ(numberInWords(Progression::of(64, Stretch{0, 96, 4})), "0 to 96 in steps of 4");
}

TEST(AlarmTextTest, TheOrderIsTheOneThatDoesNotGoRound) {
  EXPECT_EQ(between(32, 0xffffffff, 3), "-1 to 3");
  EXPECT_EQ(between(32, 4096, 0xffffffff), "4096 to 4294967295");
}

TEST(AlarmTextTest, FarBoundsAreNone) {
  EXPECT_EQ(between(64, 3, ~uint64_t(0)), "3 or more");
  EXPECT_EQ(between(64, 0, uint64_t(INT64_MAX)), "0 or more");
  EXPECT_EQ(between(64, uint64_t(INT64_MIN), uint64_t(-1)), "-1 or less");
  EXPECT_EQ(between(64, uint64_t(INT64_MIN) + 1, uint64_t(INT64_MAX)), "any number");
}

} // namespace
} // namespace fathom::statics
