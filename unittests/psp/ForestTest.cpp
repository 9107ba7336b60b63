// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Forest.h"
#include "psp/Patterns.h"
#include "psp/TrainForest.h"

#include <gtest/gtest.h>

#include <map>

namespace fathom::psp {
namespace {

TEST(Forest, WalksAndAverages) {
  // k = 1: entry 0 decides, then entry 2; and a tree that is one leaf.
  const std::optional<Forest> forest = Forest::parse(1, "A.AC.Q.g\n./\n");
  ASSERT_TRUE(forest);
  EXPECT_EQ(forest->trees(), 2u);
  EXPECT_EQ(forest->nodes(), 6u);
  const double leaf = 63.5 / 64;
  EXPECT_DOUBLE_EQ(forest->probability({0, -1, 1}), (0.5 / 64 + leaf) / 2);
  EXPECT_DOUBLE_EQ(forest->probability({1, -1, 0}), (16.5 / 64 + leaf) / 2);
  EXPECT_DOUBLE_EQ(forest->probability({1, -1, 1}), (32.5 / 64 + leaf) / 2);
  EXPECT_EQ(forest->text(), "A.AC.Q.g\n./\n");
}

TEST(Forest, RefusesWhatItDidNotWrite) {
  for (const char *text : {"", ".A", "A.A\n", "B.A.A\n", "D.A.A\n", ".A.A\n", "A.A.!\n", "\n"})
    EXPECT_FALSE(Forest::parse(1, text)) << text;
}

TEST(Forest, CanBeMadeAgainBitByBit) {
  EXPECT_EQ(trainForest().text(), Forest::shipped().text());
  ForestOptions other;
  other.seed = 2;
  other.trees = 1;
  EXPECT_NE(trainForest(other).text(), trainForest({.trees = 1}).text());
}

TEST(Patterns, SeenIsAPartOfWhatBelongs) {
  Rng rng(5);
  for (unsigned i = 0; i < 700; ++i) {
    const auto kind = static_cast<PatternKind>(i % kPatternKinds);
    const Pattern pattern = drawPattern(kind, 40, rng);
    ASSERT_EQ(pattern.belongs.size(), 81u);
    int previous = -1;
    for (int at = 0; at < 81; ++at) {
      EXPECT_LE(pattern.seen[size_t(at)], pattern.belongs[size_t(at)]);
      if (!pattern.belongs[size_t(at)]) continue;
      if (kind == PatternKind::Odd || kind == PatternKind::Even)
        EXPECT_TRUE(previous < 0 || (at - previous) % 2 == 0);
      if (kind == PatternKind::Range) EXPECT_TRUE(previous < 0 || at - previous == 1);
      previous = at;
    }
  }
}

TEST(Patterns, ExamplesAreBalanced) {
  Rng rng(9);
  std::map<PatternKind, std::pair<int, int>> counts;
  for (const Example &e : drawExamples(7000, 20, rng))
    ++(e.belongs ? counts[e.kind].first : counts[e.kind].second);
  ASSERT_EQ(counts.size(), kPatternKinds);
  for (const auto &[kind, count] : counts) {
    EXPECT_GT(count.first, 150) << textOf(kind);
    EXPECT_GT(count.second, 150) << textOf(kind);
  }
}

/// On patterns of another seed: right at a cut of 0.5, and the squared error of the probability.
TEST(Forest, RecognisesPatternsItHasNotSeen) {
  Rng rng(12345);
  std::map<PatternKind, std::pair<int, int>> right;
  double squares = 0;
  int all = 0, correct = 0;
  for (const Example &e : drawExamples(14'000, 20, rng)) {
    const double p = Forest::shipped().probability(e.vector);
    const bool isRight = (p > 0.5) == e.belongs;
    squares += (p - e.belongs) * (p - e.belongs);
    correct += isRight, ++all;
    right[e.kind].first += isRight, ++right[e.kind].second;
  }
  RecordProperty("accuracy", std::to_string(double(correct) / all));
  RecordProperty("brier", std::to_string(squares / all));
  for (const auto &[kind, of] : right)
    RecordProperty(std::string("accuracy_") + textOf(kind),
                   std::to_string(double(of.first) / of.second));
  EXPECT_GT(double(correct) / all, 0.9);
  EXPECT_LT(squares / all, 0.07);
}

TEST(Forest, ContinuesWhatAPersonWouldContinue) {
  auto judge = [](auto member, int64_t value) {
    std::vector<int64_t> seen;
    for (int64_t v = value - 20; v <= value + 20; ++v)
      if (v != value && member(v)) seen.push_back(v);
    return Forest::shipped().probability(ternaryVector(seen, value, 20));
  };
  EXPECT_GT(judge([](int64_t v) { return v % 2 == 0; }, 100),
            0.8); // an even number among even ones
  EXPECT_LT(judge([](int64_t v) { return v % 2 == 0; }, 101), 0.2);
  EXPECT_GT(judge([](int64_t) { return true; }, 7), 0.8);      // a gap in a range
  EXPECT_LT(judge([](int64_t v) { return v < 50; }, 60), 0.2); // far behind its end
  EXPECT_LT(judge([](int64_t v) { return v % 5 == 1; }, 103), 0.2);
  EXPECT_GT(judge([](int64_t v) { return v % 5 == 1; }, 101), 0.8);
}

} // namespace
} // namespace fathom::psp
