// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decorator for queries with external operations: what it asks the stages below, which of their
// answers count, when the fuzz solver is asked and when not, and what may be cached.
#include "SolverTestUtil.h"

#include "solver/ExternalStage.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;
using namespace std::chrono_literals;

namespace {

/// (a + 3 b) mod 256 of two bytes.
class Mix final : public expr::ExternalOperation {
public:
  Mix() : ExternalOperation("mix", 2, 2) {}
  void apply(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    out[0] = 0;
    out[1] = static_cast<uint8_t>(in[0] + 3 * in[1]);
  }
};

/// Answers as the test says, and remembers what it was asked.
struct Below final : ConjunctionSolver {
  Below(std::vector<Answer> &answers, std::vector<std::vector<ExprPtr>> &asked,
        std::vector<Clock::time_point> &deadlines)
      : answers(answers), asked(asked), deadlines(deadlines) {}
  Answer solve(const Conjunction &q) override {
    asked.push_back({q.constraints.begin(), q.constraints.end()});
    deadlines.push_back(q.deadline);
    return asked.size() <= answers.size() ? answers[asked.size() - 1] : Answer::unknown("below");
  }
  void appendStats(std::vector<StageStats> &) const override {}
  std::vector<Answer> &answers;
  std::vector<std::vector<ExprPtr>> &asked;
  std::vector<Clock::time_point> &deadlines;
};

struct Fuzz final : FuzzSolver {
  Fuzz(Answer &answer, std::vector<std::vector<Model>> &seeds, std::vector<FuzzBudget> &budgets)
      : answer(answer), seeds(seeds), budgets(budgets) {}
  Answer solve(std::span<const ExprPtr>, std::span<const Model *const> given,
               const FuzzBudget &budget) override {
    budgets.push_back(budget);
    auto &list = seeds.emplace_back();
    for (const Model *m : given)
      if (m) list.push_back(*m);
    return answer;
  }
  FuzzStats stats() const override { return {}; }
  Answer &answer;
  std::vector<std::vector<Model>> &seeds;
  std::vector<FuzzBudget> &budgets;
};

struct ExternalStageTest : testing::Test {
  ExprContext c;
  ExprPtr in = c.symbol("in", 3);
  std::vector<Answer> answers;
  std::vector<std::vector<ExprPtr>> asked;
  Answer fuzzAnswer = Answer::unknown("fuzz: not found");
  std::vector<std::vector<Model>> seeds;
  std::vector<Clock::time_point> deadlines;
  std::vector<FuzzBudget> budgets;
  Model witness;

  ExprPtr byte(uint64_t i) { return c.read(in, i); }
  ExprPtr k(uint64_t v) { return c.constant(v, 8); }
  ExprPtr mixed() {
    ExprPtr array = c.constArray(std::vector<uint8_t>(2, 0));
    for (uint64_t i : {uint64_t(0), uint64_t(1)})
      array = c.store(array, c.constant(i, 64), byte(i));
    return c.read(c.apply(std::make_shared<Mix>(), array), uint64_t(1));
  }
  Model modelOf(uint8_t a, uint8_t b, uint8_t d) {
    Model m;
    m.setByte(in, 0, a);
    m.setByte(in, 1, b);
    m.setByte(in, 2, d);
    return m;
  }
  std::unique_ptr<ExternalStage> make(const ExternalOptions &options = {}) {
    return std::make_unique<ExternalStage>(c, options,
                                           std::make_unique<Fuzz>(fuzzAnswer, seeds, budgets),
                                           std::make_unique<Below>(answers, asked, deadlines));
  }
  Answer ask(ConjunctionSolver &stage, std::vector<ExprPtr> constraints, uint32_t branch = 1) {
    return stage.solve({.constraints = constraints,
                        .deadline = Clock::now() + 10s,
                        .branchId = branch,
                        .witness = &witness});
  }
};

TEST_F(ExternalStageTest, OthersPassThrough) {
  auto stage = make();
  answers = {Answer::unsat()};
  EXPECT_EQ(ask(*stage, {c.eq(byte(0), k(3))}).kind, AnswerKind::Unsat);
  EXPECT_EQ(asked, (std::vector<std::vector<ExprPtr>>{{c.eq(byte(0), k(3))}}));
  EXPECT_TRUE(seeds.empty());
}

TEST_F(ExternalStageTest, UnderTheWitnessOperationsAreConstants) {
  witness = modelOf(5, 7, 0); // mix: 26
  auto stage = make();
  answers = {Answer::sat(modelOf(5, 7, 27))};
  Answer a = ask(*stage, {c.ult(mixed(), byte(2))});
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_EQ(a.model.byte(in, 2), 27);
  ASSERT_EQ(asked.size(), 1u);
  for (ExprPtr e : asked[0]) EXPECT_FALSE(e->has(expr::kHasApply)) << toString(e);
  auto has = [&](ExprPtr e) {
    return std::find(asked[0].begin(), asked[0].end(), e) != asked[0].end();
  };
  EXPECT_TRUE(has(c.ult(k(26), byte(2))));
  EXPECT_TRUE(has(c.eq(byte(0), k(5))));
  EXPECT_TRUE(has(c.eq(byte(1), k(7))));
  EXPECT_EQ(asked[0].size(), 3u);
  EXPECT_TRUE(seeds.empty());
}

/// Logic that does not get on leaves most of the time to the search, and where a search found
/// nothing the next one is short.
TEST_F(ExternalStageTest, TimeAndEvaluationsAreShared) {
  auto stage = make();
  auto query = [&] { return ask(*stage, {c.eq(mixed(), k(3))}); };
  const auto before = Clock::now();
  query();
  ASSERT_EQ(deadlines.size(), 1u) << "without meaning; under the witness it is false";
  EXPECT_LT(deadlines[0] - before, 1s);
  query();
  const uint64_t all = ExternalOptions().budget.evaluations;
  ASSERT_EQ(budgets.size(), 2u);
  EXPECT_EQ(budgets[0].evaluations, 5 * all) << "the first one of a run";
  EXPECT_LT(budgets[1].evaluations, 5 * all / 8) << "of a branch at which nothing was found";
  EXPECT_GT(budgets[1].evaluations, all / 8);
  EXPECT_EQ(budgets[0].time, budgets[1].time);
  // The more have found nothing, the less each may cost; down to a bound.
  for (int i = 0; i < 20'000; ++i) query();
  EXPECT_EQ(budgets.back().evaluations, 4000u / 8);
  for (size_t i = 2; i < budgets.size(); ++i)
    ASSERT_LE(budgets[i].evaluations, budgets[i - 1].evaluations);
}

TEST_F(ExternalStageTest, UnsatCountsOnlyWithoutMeaning) {
  auto stage = make();
  answers = {Answer::unsat(), Answer::unsat()};
  EXPECT_EQ(ask(*stage, {c.ult(mixed(), byte(2))}).kind, AnswerKind::Unsat);
  EXPECT_EQ(asked.size(), 2u);
  EXPECT_TRUE(seeds.empty());
  // Under the witness alone it says nothing: the fuzz solver is next, with what step 2 found.
  asked.clear();
  fuzzAnswer = Answer::sat(modelOf(1, 2, 200));
  answers = {Answer::unsat(), Answer::sat(modelOf(9, 9, 9))};
  Answer a = ask(*stage, {c.ult(mixed(), byte(2))});
  EXPECT_EQ(a.kind, AnswerKind::Sat);
  ASSERT_EQ(seeds.size(), 1u);
  ASSERT_EQ(seeds[0].size(), 2u);
  EXPECT_EQ(seeds[0][0], witness);
  EXPECT_EQ(seeds[0][1].byte(in, 0), 9);
  // The same branch again: what was found there is a seed as well.
  asked.clear();
  ask(*stage, {c.ult(mixed(), byte(2))});
  ASSERT_EQ(seeds.size(), 2u);
  EXPECT_EQ(seeds[1].back().byte(in, 2), 200);
}

TEST_F(ExternalStageTest, AModelOfStepTwoThatAgreesWithTheOperationIsOne) {
  auto stage = make();
  answers = {Answer::unsat(), Answer::sat(modelOf(1, 1, 77))}; // mix: 4 < 77
  EXPECT_EQ(ask(*stage, {c.ult(mixed(), byte(2))}).kind, AnswerKind::Sat);
  EXPECT_TRUE(seeds.empty());
}

TEST_F(ExternalStageTest, PredictsFromTheBranch) {
  ExternalOptions options;
  options.probe = 4;
  auto stage = make(options);
  unsigned run = 0, predicted = 0;
  for (unsigned n = 0; n < 22; ++n) {
    Answer a = ask(*stage, {c.ult(mixed(), byte(2))}, /*branch=*/5);
    EXPECT_EQ(a.kind, AnswerKind::Unknown);
    predicted += a.reason == "fuzz: not searched, as searches for this branch found nothing";
  }
  run = static_cast<unsigned>(seeds.size());
  EXPECT_EQ(run, 2u + 5u) << "two failures, then every fourth";
  EXPECT_EQ(predicted, 15u);
  EXPECT_EQ(stage->predictorStats().skipped, 15u);
  options.predictor = false;
  auto without = make(options);
  seeds.clear();
  for (unsigned n = 0; n < 10; ++n) ask(*without, {c.ult(mixed(), byte(2))}, 5);
  EXPECT_EQ(seeds.size(), 10u);
}

TEST_F(ExternalStageTest, SwitchesTurnThingsOff) {
  ExternalOptions options;
  options.logicFirst = options.useSeeds = false;
  auto stage = make(options);
  ask(*stage, {c.ult(mixed(), byte(2))});
  EXPECT_TRUE(asked.empty());
  ASSERT_EQ(seeds.size(), 1u);
  EXPECT_TRUE(seeds[0].empty());
}

/// In the whole chain: not found is Unknown, and asked again; found and Unsat are cached.
TEST_F(ExternalStageTest, UnknownIsNotCached) {
  SolverOptions options;
  options.externals.budget.evaluations = 2000;
  options.externals.predictor = false;
  auto chain = makeChain(c, options);
  // 3 b + a is odd and even: the fuzz solver cannot know.
  ExprPtr m = mixed(), bit = c.extract(m, 0, 1);
  ExprPtr parity = c.bvXor(c.extract(byte(0), 0, 1), c.extract(byte(1), 0, 1));
  PathCondition path;
  const Query query{.path = path, .goal = c.bvNot(c.eq(bit, parity))};
  for (unsigned n = 1; n <= 2; ++n) {
    Answer a = chain->check(query);
    EXPECT_EQ(a.kind, AnswerKind::Unknown);
    EXPECT_EQ(a.reason, "fuzz: not found");
    EXPECT_EQ(countOf(*chain, "fuzz", &StageStats::asked), n);
  }
  // One value of 256.
  const Query findable{.path = path, .goal = c.eq(m, k(123))};
  Answer a = chain->check(findable);
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_TRUE(holds(a.model, path, findable.goal));
  const uint64_t asked = countOf(*chain, "fuzz", &StageStats::asked);
  EXPECT_EQ(chain->check(findable).kind, AnswerKind::Sat);
  EXPECT_EQ(countOf(*chain, "fuzz", &StageStats::asked), asked);
}

} // namespace
