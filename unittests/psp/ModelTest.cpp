// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eq. 2, 3 and 6 to 8 by hand, and against brute force over all states of two 8-bit variables.
#include "psp/Satisfiability.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace fathom::psp {
namespace {

Samples bytes() {
  Samples samples;
  samples.variable("x"), samples.variable("y");
  return samples;
}

Region byteRegion() {
  Region region;
  region.values[0] = region.values[1] = {{0, 255, 1}};
  return region;
}

Condition condition(const std::string &text, const Samples &samples) {
  return std::get<Condition>(parseCondition(text, samples));
}

ConditionProbability probability(const Satisfiability &s) {
  return std::get<ConditionProbability>(s);
}

TEST(Model, WithoutSamplesThereIsNoEstimate) {
  const std::optional<Model> none = Model::learn(bytes(), {}, Forest::shipped());
  EXPECT_FALSE(none);
  EXPECT_EQ(std::get<NoEstimate>(satisfiability(none, Condition::number(1))),
            NoEstimate::NeverReached);
}

TEST(Model, EquationTwo) {
  Samples samples;
  samples.variable("x");
  samples.add(State::of({10}), 5);
  Region region;
  region.values[0] = {{0, 12, 1}};
  const auto model = Model::learn(samples, region, Forest::shipped());
  EXPECT_EQ(model->at(State::of({10})).source, Source::Seen);
  EXPECT_EQ(model->at(State::of({10})).probability, 1);
  EXPECT_EQ(model->at(State::of({13})).source, Source::Outside);
  EXPECT_EQ(model->at(State::of({13})).probability, 0);
  EXPECT_EQ(model->at(State::of({11})).source, Source::Diffusion);
}

TEST(Model, EquationThreeCountsMultiplicities) {
  Samples samples;
  samples.variable("x");
  samples.add(State::of({0}), 99);
  const auto sparse = Model::learn(samples, {}, Forest::shipped());
  EXPECT_EQ(sparse->at(State::of({20})).source, Source::Diffusion);
  samples.add(State::of({0}));
  const auto dense = Model::learn(samples, {}, Forest::shipped());
  EXPECT_EQ(dense->at(State::of({20})).source, Source::Forest);
  EXPECT_EQ(dense->at(State::of({21})).source, Source::Diffusion); // no neighbour is within 20
}

TEST(Model, OptionsChooseTheModels) {
  Samples samples;
  samples.variable("x");
  samples.add(State::of({0}), 1000);
  ModelOptions options;
  options.hasForest = false;
  options.sparse = Sparse::Density;
  const auto model = Model::learn(samples, {}, Forest::shipped(), options);
  EXPECT_EQ(model->at(State::of({1})).source, Source::Density);
  EXPECT_NEAR(model->at(State::of({1})).probability, std::exp(-0.5), 1e-12);
}

TEST(Supervised, LooksAlongLines) {
  // y = x for 0..19: a model of single values has seen each of them.
  Samples samples = bytes();
  for (int64_t i = 0; i < 20; ++i) samples.add(State::of({i, i}), 10);
  const Neighbourhood near(samples);
  const State off = State::of({10, 12});
  EXPECT_EQ(supervised(Forest::shipped(), near, off, 20, Combine::Marginal), 1);
  EXPECT_LT(supervised(Forest::shipped(), near, off, 20, Combine::Mean), 0.5);
  EXPECT_LE(supervised(Forest::shipped(), near, off, 20, Combine::Least),
            supervised(Forest::shipped(), near, off, 20, Combine::Mean));
  EXPECT_EQ(supervised(Forest::shipped(), near, State::of({30, 30}), 20), 0);
}

TEST(Clamp, LeavesCertaintyToObservation) {
  EXPECT_EQ(clampEstimate(0, 1e-6), 1e-6);
  EXPECT_EQ(clampEstimate(1, 1e-6), 1 - 1e-6);
  EXPECT_EQ(clampEstimate(0.3, 1e-6), 0.3);
}

TEST(Satisfiability, ByHand) {
  // Two states can satisfy the condition, with probabilities p and q.
  Samples samples;
  samples.variable("x");
  samples.add(State::of({0}));
  Region region;
  region.values[0] = {{0, 2, 1}};
  const auto model = Model::learn(samples, region, Forest::shipped());
  const double p = model->at(State::of({1})).probability, q = model->at(State::of({2})).probability;
  ASSERT_GT(p, q);
  const ConditionProbability c = probability(satisfiability(model, condition("x > 0", samples)));
  EXPECT_DOUBLE_EQ(c.lower, p);
  EXPECT_DOUBLE_EQ(c.upper, std::min(1 - 1e-6, p + q));
  EXPECT_NEAR(c.independent, 1 - (1 - p) * (1 - q), 1e-12);
  EXPECT_EQ(c.witness, State::of({1}));
  EXPECT_FALSE(c.isSampled);
  EXPECT_FALSE(c.isSeen);
}

TEST(Satisfiability, OnlyWhatWasSeenIsCertain) {
  Samples samples;
  samples.variable("x");
  for (int64_t x = 0; x < 40; ++x) samples.add(State::of({x}), 100);
  const auto model = Model::learn(samples, {}, Forest::shipped());
  const ConditionProbability seen =
      probability(satisfiability(model, condition("x == 39", samples)));
  EXPECT_TRUE(seen.isSeen);
  EXPECT_EQ(seen.lower, 1);
  const ConditionProbability never =
      probability(satisfiability(model, condition("x > 1000", samples)));
  EXPECT_FALSE(never.isSeen);
  EXPECT_EQ(never.lower, 1e-6);
  EXPECT_EQ(never.upper, 1e-6);
}

/// All 65,536 states, one by one.
struct BruteForce {
  double lower = 0, sum = 0, logs = 0;
  BruteForce(const Model &model, const Condition &c) {
    for (int64_t x = 0; x < 256; ++x)
      for (int64_t y = 0; y < 256; ++y) {
        const State state = State::of({x, y});
        if (!c.holds(state)) continue;
        const double p = model.at(state).probability;
        lower = std::max(lower, p);
        sum += p;
        logs += std::log1p(-std::min(p, 1 - 1e-12));
      }
  }
};

/// A program's relation between two bytes, of which a campaign saw a part.
Samples partOf(bool (*reaches)(int64_t, int64_t), uint32_t percent, Rng &rng) {
  Samples samples = bytes();
  for (int64_t x = 0; x < 256; ++x)
    for (int64_t y = 0; y < 256; ++y)
      if (reaches(x, y) && rng.below(100) < percent)
        samples.add(State::of({x, y}), 1 + rng.below(4));
  return samples;
}

TEST(Satisfiability, IsThatOfBruteForceOverTwoBytes) {
  Rng rng(21);
  const Samples samples =
      partOf([](int64_t x, int64_t y) { return y >= x / 2 && y <= x && x % 3 == 0; }, 30, rng);
  const auto model = Model::learn(samples, byteRegion(), Forest::shipped());
  for (const char *text : {"y > x", "x * y == 961 && y < 40", "2 * y < x - 9", "x + y > 500",
                           "y > x + 30", "(x ^ y) == 129"}) {
    const Condition c = condition(text, samples);
    const ConditionProbability fast = probability(satisfiability(model, c));
    const BruteForce slow(*model, c);
    if (fast.isSeen) {
      EXPECT_EQ(slow.lower, 1) << text;
      continue;
    }
    EXPECT_FALSE(fast.isSampled) << text;
    EXPECT_NEAR(fast.lower, clampEstimate(slow.lower, 1e-6), 1e-12) << text;
    EXPECT_NEAR(fast.upper, clampEstimate(std::min(1.0, slow.sum), 1e-6), 1e-9) << text;
    EXPECT_NEAR(fast.independent, clampEstimate(-std::expm1(slow.logs), 1e-6), 1e-9) << text;
    EXPECT_LE(fast.lower, fast.independent + 1e-12) << text;
    EXPECT_LE(fast.independent, fast.upper + 1e-12) << text;
  }
}

TEST(Satisfiability, SamplesWithErrorBarsBeyondItsBudget) {
  Rng rng(4);
  const Samples samples =
      partOf([](int64_t x, int64_t y) { return x < 100 && y < 100 && (x + y) % 7 == 0; }, 1, rng);
  const auto model = Model::learn(samples, byteRegion(), Forest::shipped());
  const Condition c = condition("y > x && (x + y) % 7 == 1", samples);
  const BruteForce slow(*model, c);
  int inside = 0;
  constexpr int kRounds = 20;
  for (uint64_t seed = 1; seed <= kRounds; ++seed) {
    SatisfiabilityOptions options;
    options.mostStates = 1000;
    options.draws = 4000;
    options.seed = seed;
    const ConditionProbability fast = probability(satisfiability(model, c, options));
    ASSERT_TRUE(fast.isSampled);
    EXPECT_LE(fast.lower, slow.lower + 1e-12);
    EXPECT_GT(fast.upperError, 0);
    // The sum is far above 1 here, so what is checked is the one of logarithms.
    inside += std::fabs(fast.independent - -std::expm1(slow.logs)) <= fast.independentError + 2e-6;
  }
  EXPECT_GE(inside, 17);
}

TEST(Satisfiability, ConjunctionsCondition) {
  Samples samples = bytes();
  for (int64_t x = 0; x < 10; ++x) samples.add(State::of({x, x}), 100);
  const Condition small = condition("x < 5", samples), equal = condition("y == x", samples),
                  apart = condition("y == x + 40", samples);
  const Condition both[] = {small, equal}, never[] = {equal, apart}, nothing[] = {apart, small};
  auto of = [&](std::span<const Condition> clauses) {
    return conjunction(samples, byteRegion(), Forest::shipped(), clauses);
  };
  EXPECT_EQ(std::get<double>(of(both)), 1);
  EXPECT_NEAR(std::get<double>(of(never)), 1e-6, 1e-12); // A_f is cut by y == x
  EXPECT_EQ(std::get<NoEstimate>(of(nothing)), NoEstimate::NeverReached);
}

/// Of states in dense neighbourhoods that were not seen: the mean squared error of each way to
/// combine variables.
std::array<double, 4> errorsOf(bool (*reaches)(int64_t, int64_t), uint32_t percent) {
  Rng rng(77);
  const Samples samples = partOf(reaches, percent, rng);
  const Neighbourhood near(samples);
  std::array<double, 4> squares{};
  constexpr int kStates = 300;
  for (int judged = 0; judged < kStates;) {
    const State state = State::of({int64_t(rng.below(256)), int64_t(rng.below(256))});
    if (samples.contains(state) || near.size(state, 20, 100) < 100) continue;
    const double truth = reaches(state.bindings[0].second, state.bindings[1].second);
    for (const Combine how : {Combine::Mean, Combine::Least, Combine::Product, Combine::Marginal}) {
      const double p = supervised(Forest::shipped(), near, state, 20, how);
      squares[size_t(how)] += (p - truth) * (p - truth) / kStates;
    }
    ++judged;
  }
  return squares;
}

TEST(Supervised, TheMeanIsTheBestOverRelationsWhoseTruthIsKnown) {
  using Reaches = bool (*)(int64_t, int64_t);
  const std::pair<const char *, Reaches> relations[] = {
      {"box", [](int64_t x, int64_t y) { return x < 90 && y > 60 && y < 200; }},
      {"below", [](int64_t x, int64_t y) { return y <= x; }},
      {"between", [](int64_t x, int64_t y) { return y >= 2 * x && y <= 3 * x + 10; }},
      {"stripe", [](int64_t x, int64_t y) { return y >= x && y <= x + 4; }},
      {"multiples", [](int64_t x, int64_t y) { return x % 4 == 0 && y <= x; }},
      {"parity", [](int64_t x, int64_t y) { return (x + y) % 2 == 0 && y < 128; }},
      {"product", [](int64_t x, int64_t y) { return x * y < 4000; }},
  };
  std::array<double, 4> sums{};
  for (const auto &[name, reaches] : relations)
    for (const uint32_t percent : {80u, 50u}) {
      const std::array<double, 4> errors = errorsOf(reaches, percent);
      for (size_t how = 0; how < 4; ++how) {
        sums[how] += errors[how] / 14;
        RecordProperty(name + std::string("_") + std::to_string(percent) + "_" +
                           std::to_string(how),
                       std::to_string(errors[how]));
      }
    }
  for (size_t how = 0; how < 4; ++how)
    RecordProperty("mean_" + std::to_string(how), std::to_string(sums[how]));
  for (const Combine how : {Combine::Least, Combine::Product, Combine::Marginal})
    EXPECT_LT(sums[size_t(Combine::Mean)], sums[size_t(how)]);
}

} // namespace
} // namespace fathom::psp
