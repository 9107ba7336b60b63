// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distance between models, by hand, and on a point whose samples grow.
#include "psp/Hellinger.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom::psp {
namespace {

double h(std::vector<double> p, std::vector<double> q) { return hellinger(p, q); }

TEST(Hellinger, ByHand) {
  EXPECT_EQ(h({1, 0}, {0, 1}), 1);
  EXPECT_NEAR(h({0.3, 0.6}, {1, 2}), 0, 1e-12) << "only shares count";
  EXPECT_EQ(h({0, 0}, {0, 0}), 0);
  EXPECT_EQ(h({0, 0}, {0, 1}), 1);
  // 1 - sum of sqrt(p q) = 1 - sqrt(1/2), and its root.
  EXPECT_NEAR(h({1, 0}, {1, 1}), std::sqrt(1 - std::sqrt(0.5)), 1e-12);
}

TEST(Hellinger, IsADistance) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> v[3];
    for (auto &p : v)
      for (int i = 0; i < 6; ++i) p.push_back(double(rng.below(10)) + (i == 0));
    EXPECT_NEAR(h(v[0], v[1]), h(v[1], v[0]), 1e-12);
    EXPECT_LE(h(v[0], v[2]), h(v[0], v[1]) + h(v[1], v[2]) + 1e-12);
    EXPECT_GE(h(v[0], v[1]), 0);
    EXPECT_LE(h(v[0], v[1]), 1);
  }
}

TEST(Hellinger, LeavesOutStatesOnlyWhereThereAreTooMany) {
  Samples before, now;
  before.variable("x"), now.variable("x");
  before.add(State::of({0}));
  now.add(State::of({0})), now.add(State::of({2}));
  // -1 to 3.
  EXPECT_EQ(modelDistance(before, now, Forest::shipped(), 5),
            modelDistance(before, now, Forest::shipped(), 1000));
  EXPECT_NE(modelDistance(before, now, Forest::shipped(), 4),
            modelDistance(before, now, Forest::shipped(), 1000));
}

TEST(Hellinger, ModelsComeNearerAsSamplesGrow) {
  // Uniform on 0 to 199: what is new becomes rare.
  Rng rng(4);
  Samples now;
  now.variable("x");
  std::vector<double> distances;
  for (int round = 0; round < 8; ++round) {
    const Samples before = now;
    for (int i = 0; i < 150; ++i) now.add(State::of({int64_t(rng.below(200))}));
    distances.push_back(modelDistance(before, now, Forest::shipped()));
  }
  EXPECT_EQ(distances[0], 1);
  EXPECT_GT(distances[1], distances[4]);
  EXPECT_LT(distances[7], 0.1);
  EXPECT_EQ(modelDistance(now, now, Forest::shipped()), 0);
}

} // namespace
} // namespace fathom::psp
