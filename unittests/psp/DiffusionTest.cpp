// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Diffusion.h"
#include "psp/Density.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace fathom::psp {
namespace {

HeatGrid line(int64_t from, int64_t to, int64_t hot, bool isPinned) {
  HeatGrid grid(1);
  for (int64_t x = from; x <= to; ++x) grid.add({x}, x == hot, isPinned && x == hot);
  return grid;
}

TEST(HeatGrid, OneStepIsTheFormula) {
  HeatGrid grid = line(-3, 3, 0, /*isPinned=*/false);
  EXPECT_EQ(grid.run(0.05, 0.05, 6, /*isInsulated=*/true), 1u);
  EXPECT_DOUBLE_EQ(*grid.heat({0}), 1 - 2 * 0.3);
  EXPECT_DOUBLE_EQ(*grid.heat({1}), 0.3);
  EXPECT_DOUBLE_EQ(*grid.heat({-1}), 0.3);
  EXPECT_EQ(*grid.heat({2}), 0);
  EXPECT_EQ(grid.heat({4}), std::nullopt);
}

TEST(HeatGrid, ConservesHeatWithoutSources) {
  Rng rng(3);
  HeatGrid grid(2);
  for (int64_t x = 0; x < 17; ++x)
    for (int64_t y = 0; y < 11; ++y)
      if (rng.below(5)) grid.add({x, y}, rng.below(1000) / 1000.0, false); // any shape
  const double before = grid.total();
  grid.run(10, stableStep(2, 6), 6, /*isInsulated=*/true);
  EXPECT_NEAR(grid.total(), before, 1e-9);
}

TEST(HeatGrid, LosesHeatOverACoolEdge) {
  HeatGrid grid = line(-3, 3, 0, /*isPinned=*/false);
  grid.run(10, 0.05, 6, /*isInsulated=*/false);
  EXPECT_LT(grid.total(), 0.5);
}

TEST(HeatGrid, IsStableUpToTheStableStepAndNotBeyond) {
  auto worst = [](double step) {
    HeatGrid grid(2);
    for (int64_t x = -9; x <= 9; ++x)
      for (int64_t y = -9; y <= 9; ++y) grid.add({x, y}, x == 0 && y == 0, false);
    grid.run(100 * step, step, 6, /*isInsulated=*/true);
    double most = 0;
    for (int64_t x = -9; x <= 9; ++x)
      for (int64_t y = -9; y <= 9; ++y) most = std::max(most, std::fabs(*grid.heat({x, y}) - 0.5));
    return most;
  };
  EXPECT_DOUBLE_EQ(stableStep(2, 6), 1 / 24.0);
  EXPECT_LE(worst(stableStep(2, 6)), 0.5);
  EXPECT_GT(worst(1.2 * stableStep(2, 6)), 10);
}

TEST(HeatGrid, FollowsTheErrorFunction) {
  // A half-space held at 1 heats the other half to erfc(x / (2 sqrt(D t))).
  HeatGrid grid(1);
  for (int64_t x = 0; x <= 200; ++x) grid.add({x}, x == 0, x == 0);
  grid.run(10, 0.02, 6, /*isInsulated=*/true);
  for (int64_t x : {1, 5, 10, 20})
    EXPECT_NEAR(*grid.heat({x}), std::erfc(double(x) / (2 * std::sqrt(60.0))), 2e-3) << x;
}

TEST(Diffusion, PinsWhatIsSeenAndWhatIsOutside) {
  Samples samples;
  samples.variable("x");
  samples.add(State::of({0}));
  Region region;
  region.values[0] = {{-1000, 3, 1}};
  const Diffusion heat(samples, region, 1);
  EXPECT_EQ(heat.probability(State::of({0})), 1);
  EXPECT_EQ(heat.probability(State::of({4})), 0);
  EXPECT_EQ(heat.probability(State::of({1000})), 0);
  // The cold side takes heat away.
  EXPECT_LT(heat.probability(State::of({3})), heat.probability(State::of({-3})));
  EXPECT_GT(heat.probability(State::of({3})), 0);
}

TEST(Diffusion, IsSymmetricWhereTheSamplesAre) {
  Samples samples;
  samples.variable("x"), samples.variable("y");
  for (const int64_t sign : {-1, 1}) {
    samples.add(State::of({3 * sign, 5}));
    samples.add(State::of({3 * sign, -5}), 7); // multiplicities do not matter
  }
  const Diffusion heat(samples, {}, 2);
  for (int64_t x = 0; x <= 25; ++x)
    for (int64_t y = 0; y <= 25; ++y) {
      const double p = heat.probability(State::of({x, y}));
      EXPECT_NEAR(heat.probability(State::of({-x, y})), p, 1e-12);
      EXPECT_NEAR(heat.probability(State::of({x, -y})), p, 1e-12);
      EXPECT_GE(p, 0);
      EXPECT_LE(p, 1);
    }
}

TEST(Diffusion, BringsDownAStepThatIsNotStable) {
  Samples samples;
  samples.variable("x"), samples.variable("y");
  samples.add(State::of({0, 0}));
  DiffusionOptions options;
  options.step = 5;
  const Diffusion heat(samples, {}, 2, options);
  EXPECT_GE(heat.steps(), 240u);
  for (int64_t x = 1; x <= 20; ++x) {
    EXPECT_GE(heat.probability(State::of({x, 0})), 0);
    EXPECT_LE(heat.probability(State::of({x, 0})), heat.probability(State::of({x - 1, 0})));
  }
}

TEST(Diffusion, HalvesItsWindowsUntilTheyFit) {
  Samples samples;
  for (const char *name : {"a", "b", "c", "d"}) samples.variable(name);
  samples.add(State::of({0, 0, 0, 0}));
  DiffusionOptions options;
  options.mostCells = 20'000;
  const Diffusion heat(samples, {}, 4, options);
  EXPECT_EQ(heat.radius(), 5); // 11^4 cells; 21^4 are too many
  EXPECT_EQ(heat.cells(), 14'641u);
  EXPECT_GT(heat.probability(State::of({1, 0, 0, 0})), 0);
}

TEST(Diffusion, LeavesOutStatesWithoutAPlace) {
  Samples samples;
  samples.variable("x"), samples.variable("y");
  samples.add(State::of({1}));
  EXPECT_EQ(Diffusion(samples, {}, 2).cells(), 0u);
}

TEST(Density, IsTheFormula) {
  Samples samples;
  samples.variable("x"), samples.variable("y");
  samples.add(State::of({0, 0}), 3);
  samples.add(State::of({2, 1}));
  const Density density(samples);
  // At (1, 0): distances 1 and sqrt(2).
  const double scale = 1 / (2 * std::numbers::pi);
  EXPECT_NEAR(density.density(State::of({1, 0})), scale * (3 * std::exp(-0.5) + std::exp(-1.0)) / 4,
              1e-12);
  EXPECT_NEAR(density.probability(State::of({1, 0})), std::exp(-0.5) + std::exp(-1.0), 1e-12);
  EXPECT_EQ(density.probability(State::of({0, 0})), 1);
  double sum = 0;
  for (int64_t x = -12; x <= 14; ++x)
    for (int64_t y = -12; y <= 13; ++y) sum += density.density(State::of({x, y}));
  EXPECT_NEAR(sum, 1, 1e-6);
}

} // namespace
} // namespace fathom::psp
