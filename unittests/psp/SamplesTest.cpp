// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Samples.h"
#include "psp/Neighbourhood.h"
#include "psp/Region.h"
#include "psp/Ternary.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom::psp {
namespace {

Samples twoVariables() {
  Samples samples;
  samples.variable("x");
  samples.variable("y");
  return samples;
}

TEST(Samples, CountMultiplicities) {
  Samples samples = twoVariables();
  samples.add(State::of({1, 2}), 3);
  samples.add(State::of({1, 2}));
  samples.add(State::of({1, 3}), 5);
  samples.add(State::of({9, 9}), 0);
  EXPECT_EQ(samples.total(), 9u);
  EXPECT_EQ(samples.distinct(), 2u);
  EXPECT_EQ(samples.count(State::of({1, 2})), 4u);
  EXPECT_FALSE(samples.contains(State::of({9, 9})));
}

TEST(Samples, AStateWithFewerVariablesIsSeenIfSomeSampleAgrees) {
  Samples samples = twoVariables();
  samples.add(State::of({1, 2}));
  EXPECT_TRUE(samples.contains(State::of({1})));
  EXPECT_FALSE(samples.contains(State::of({2})));
  State more = State::of({1, 2});
  more.set(7, 0);
  EXPECT_FALSE(samples.contains(more));
}

TEST(Samples, ProjectionAddsMultiplicitiesAndDropsWhatBindsNothing) {
  Samples samples = twoVariables();
  samples.add(State::of({1, 2}), 3);
  samples.add(State::of({4, 2}), 2);
  State onlyX;
  onlyX.set(0, 8);
  samples.add(onlyX);
  const VariableId y = 1;
  const Samples projected = samples.project(std::span(&y, 1));
  EXPECT_EQ(projected.names(), std::vector<std::string>{"y"});
  EXPECT_EQ(projected.total(), 5u);
  EXPECT_EQ(projected.count(State::of({2})), 5u);
}

TEST(Distance, IsEuclideanOverSharedVariables) {
  EXPECT_EQ(distance(State::of({0, 0}), State::of({3, 4})), 5.0);
  State third = State::of({3, 4});
  third.set(2, 1000);
  EXPECT_EQ(distance(State::of({0, 0}), third), 5.0);
  State other;
  other.set(5, 1);
  EXPECT_EQ(distance(State::of({0, 0}), other), std::nullopt);
  EXPECT_EQ(distance(State::of({INT64_MIN}), State::of({INT64_MAX})), std::pow(2.0, 64));
}

TEST(Neighbourhood, IsThatOfBruteForce) {
  Rng rng(7);
  for (int round = 0; round < 20; ++round) {
    Samples samples = twoVariables();
    auto draw = [&] { return int64_t(rng.below(60)) - 30; };
    for (int i = 0; i < 200; ++i) {
      State state;
      if (rng.below(8)) state.set(0, draw());
      if (rng.below(8)) state.set(1, draw());
      if (!state.bindings.empty()) samples.add(state, 1 + rng.below(5));
    }
    const Neighbourhood near(samples);
    const State centre = State::of({draw(), draw()});
    uint64_t expected = 0;
    for (const auto &[state, count] : samples.counts())
      if (distance(centre, state).value_or(INFINITY) <= 11) expected += count;
    EXPECT_EQ(near.size(centre, 11), expected);
    uint64_t sum = 0;
    for (const Neighbour &n : near.within(centre, 11)) sum += n.count;
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(near.size(centre, 11, 3), std::min<uint64_t>(3, expected));
  }
}

TEST(Neighbourhood, HasNoEdgeAtTheEndsOfTheNumbers) {
  Samples samples;
  samples.variable("x");
  samples.add(State::of({INT64_MAX}));
  const Neighbourhood near(samples);
  EXPECT_EQ(near.size(State::of({INT64_MAX - 3}), 20), 1u);
  EXPECT_EQ(near.size(State::of({INT64_MIN}), 20), 0u);
}

TEST(Neighbourhood, KnowsWhetherABoxIsNear) {
  Samples samples = twoVariables();
  samples.add(State::of({10, 10}));
  const Neighbourhood near(samples);
  using Box = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_TRUE(near.touches(Box{{0, 10}, {10, 12}}, 0));
  EXPECT_FALSE(near.touches(Box{{0, 8}, {10, 12}}, 1));
  EXPECT_TRUE(near.touches(Box{{0, 8}, {10, 12}}, 2));
  EXPECT_FALSE(near.touches(Box{{0, 10}, {14, 90}}, 3));
}

TEST(Ternary, IsThatOfThePaper) {
  const std::vector<int64_t> seen{2, 4, 6, 8};
  EXPECT_EQ(ternaryVector(seen, 5, 3), (Ternary{1, 0, 1, -1, 1, 0, 1}));
}

TEST(Ternary, LooksNoFurtherThanK) {
  const std::vector<int64_t> seen{INT64_MIN, -4, 3, INT64_MAX};
  EXPECT_EQ(ternaryVector(seen, 0, 3), (Ternary{0, 0, 0, -1, 0, 0, 1}));
}

TEST(Region, IsTheConjunctionOfItsParts) {
  Region region;
  region.values[0] = {{0, 10, 2}, {100, 100, 0}};
  region.pairs = {{1, 0, -1, 1, 0}}; // x <= y
  EXPECT_TRUE(region.contains(State::of({4, 4})));
  EXPECT_FALSE(region.contains(State::of({3, 4})));
  EXPECT_FALSE(region.contains(State::of({4, 3})));
  EXPECT_TRUE(region.contains(State::of({100})));
  EXPECT_EQ(region.range(0), (std::pair<int64_t, int64_t>{0, 100}));
  EXPECT_EQ(region.range(1), (std::pair<int64_t, int64_t>{INT64_MIN, INT64_MAX}));
  region.isEmpty = true;
  EXPECT_FALSE(region.contains(State::of({4, 4})));
}

} // namespace
} // namespace fathom::psp
