// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/Rank.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom::repair {
namespace {

psp::Samples samplesOf(std::initializer_list<int64_t> values) {
  psp::Samples out;
  out.variable("v");
  for (const int64_t value : values) out.add(psp::State::of({value}));
  return out;
}

TEST(Rank, EquationTwelveIsAProductOverValues) {
  ValueModels models;
  models.learn("i", samplesOf({0, 1, 2, 3}));
  models.learn("n", samplesOf({3}));
  // All were seen: 1 * 1 * 1.
  std::optional<UnchangedProbability> all =
      unchangedProbability(models, {{"i", {0, 3}}, {"n", {3}}});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->probability, 1);
  EXPECT_EQ(all->bindings, 3u);
  // The product of what the model says of 4 and of -7, by itself.
  const double four = *models.probability("i", 4), seven = *models.probability("n", -7);
  EXPECT_GT(four, 0);
  EXPECT_LT(four, 1);
  EXPECT_LT(seven, four);
  all = unchangedProbability(models, {{"i", {0, 4}}, {"n", {3, -7}}});
  ASSERT_TRUE(all);
  EXPECT_DOUBLE_EQ(all->probability, four * seven);
  EXPECT_NEAR(all->logarithm, std::log(four) + std::log(seven), 1e-12);
  EXPECT_EQ(all->variable, "n");
  EXPECT_EQ(all->value, -7);
  // Far from all samples: epsilon, never 0, since only observation is certain.
  EXPECT_DOUBLE_EQ(*models.probability("n", 1'000'000), 1e-6);
}

TEST(Rank, WhatNobodySampledHasNoEstimate) {
  ValueModels models;
  models.learn("i", samplesOf({1}));
  models.learn("never", samplesOf({}));
  EXPECT_FALSE(models.probability("never", 1));
  EXPECT_FALSE(unchangedProbability(models, {{"x", {1, 2}}}));
  EXPECT_FALSE(unchangedProbability(models, {{"never", {1}}}));
  EXPECT_FALSE(unchangedProbability(models, {}));
  EXPECT_EQ(unchangedProbability(models, {{"x", {5}}, {"i", {1}}})->bindings, 1u);
}

TEST(Rank, ManyFactorsStillHaveAnOrder) {
  ValueModels models;
  models.learn("i", samplesOf({0}));
  std::set<int64_t> some, more;
  for (int64_t x = 0; x < 60; ++x) some.insert(1000 + x);
  more = some;
  more.insert(2000);
  const UnchangedProbability a = *unchangedProbability(models, {{"i", some}}),
                             b = *unchangedProbability(models, {{"i", more}});
  EXPECT_EQ(a.probability, 0); // 1e-360
  EXPECT_EQ(b.probability, 0);
  EXPECT_NEAR(a.logarithm, 60 * std::log(1e-6), 1e-9);
  std::vector<RankKey> keys(2);
  keys[0].unchanged = b;
  keys[1].unchanged = a;
  EXPECT_EQ(rankPatches(keys), (std::vector<size_t>{1, 0}));
}

TEST(Rank, ScoresAreNormalised) {
  const std::vector<std::optional<double>> scores = {-2, std::nullopt, 6, 0};
  const auto out = normalisedScores(scores);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], std::nullopt);
  EXPECT_EQ(out[2], 1);
  EXPECT_EQ(out[3], 0.25);
  const std::vector<std::optional<double>> same = {3, 3};
  EXPECT_EQ(normalisedScores(same)[0], 1);
  EXPECT_TRUE(normalisedScores({}).empty());
}

TEST(Rank, TotalProbabilityByHand) {
  // 0.8 * 0.5 + 0.1 * 0.8 * 0.5
  EXPECT_DOUBLE_EQ(probabilityOfRight(0.8, 0.5), 0.44);
  EXPECT_DOUBLE_EQ(probabilityOfRight(1, 1), 1);
  EXPECT_DOUBLE_EQ(probabilityOfRight(1, 0), 0.1);
  EXPECT_DOUBLE_EQ(probabilityOfRight(0.6, std::nullopt), 0.33); // p = 1/2
  EXPECT_DOUBLE_EQ(probabilityOfRight(std::nullopt, 1), 0);
}

std::optional<UnchangedProbability> estimate(std::optional<double> p) {
  if (!p) return std::nullopt;
  UnchangedProbability out;
  out.probability = *p;
  out.logarithm = std::log(*p);
  return out;
}

TEST(Rank, OrdersAloneAndCombined) {
  auto key = [](std::optional<double> p, std::optional<double> score) {
    return RankKey{estimate(p), score};
  };
  std::vector<RankKey> keys = {key(0.2, {}), key({}, {}), key(0.9, {}), key(0.9, {})};
  EXPECT_EQ(rankPatches(keys), (std::vector<size_t>{2, 3, 0, 1}));
  // 0.9 * 0.2 + 0.1 * 0.9 * 0.8 = 0.252; 0.3 * 0.9 + 0.1 * 0.3 * 0.1 = 0.273; no estimate: 0.55
  keys = {key(0.2, 0.9), key(0.9, 0.3), key({}, 1), key(1, {})};
  EXPECT_EQ(rankPatches(keys), (std::vector<size_t>{2, 1, 0, 3}));
}

TEST(Rank, DistanceIsBeforeProbability) {
  const std::vector<EditKey> keys = {{estimate(1), 2, 0, 1}, {estimate(1e-9), 1, 5, 9}};
  EXPECT_EQ(rankEdits(keys), (std::vector<size_t>{1, 0}));
}

TEST(Rank, ProbabilityDecidesAtOneDistance) {
  // No estimate counts as a half: neither with what is improbable nor with what is probable.
  const std::vector<EditKey> keys = {{estimate(0.1), 1, 0, 1}, {std::nullopt, 1, 0, 1},
                                     {estimate(0.9), 1, 3, 7}, {estimate(0.4), 1, 0, 1},
                                     {estimate(0.6), 1, 0, 1}, {estimate(0.5), 1, 0, 1}};
  EXPECT_EQ(rankEdits(keys), (std::vector<size_t>{2, 4, 1, 5, 3, 0}));
}

TEST(Rank, LessThanATenthIsNoDifference) {
  // All three are 0 in tenths: the variables exchanged decide, then the size, then the order.
  std::vector<EditKey> keys = {{estimate(0.04), 1, 1, 1},
                               {estimate(1e-9), 1, 0, 3},
                               {estimate(1e-12), 1, 0, 2},
                               {estimate(1e-6), 1, 0, 3}};
  EXPECT_EQ(rankEdits(keys), (std::vector<size_t>{2, 1, 3, 0}));
  keys = {{estimate(0.06), 1, 9, 9}, {estimate(0.04), 1, 0, 0}}; // 1 and 0 tenths
  EXPECT_EQ(rankEdits(keys), (std::vector<size_t>{0, 1}));
}

} // namespace
} // namespace fathom::repair
