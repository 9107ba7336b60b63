// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantified queries, split by the values of their counters: all answers are those of the
// expansion, and what has too many cases goes on as it is.
#include "QuantifiedQuery.h"

#include "solver/CounterStage.h"
#include "solver/QuantifierStage.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;

namespace {

/// forall i <= k. s[i - 1] == 'a', with limits for k.
class Counted : public testing::Test {
protected:
  ExprPtr word(uint64_t value) { return c.constant(value, 64); }
  ExprPtr is(uint64_t index, uint64_t value) {
    return c.eq(c.read(s, index), c.constant(value, 8));
  }
  ExprPtr all() {
    return c.forall(200, k, c.eq(c.read(s, c.sub(c.bound(200), word(1))), c.constant('a', 8)));
  }
  StageStats statsOf(const ConjunctionSolver &stage) {
    std::vector<StageStats> stats;
    stage.appendStats(stats);
    return stats[0];
  }
  ExprContext c;
  ExprPtr s = c.symbol("s", 200), counter = c.symbol("k", 1);
  ExprPtr k = c.zext(c.read(counter, uint64_t(0)), 64);
};

TEST_F(Counted, TheWitnessSaysWhichCaseIsFirst) {
  unsigned asked = 0;
  CounterStage stage(c, std::make_unique<CountingSolver>(asked, Answer::sat({})));
  Model witness;
  witness.setByte(counter, 0, 3);
  std::vector<ExprPtr> query{c.ule(k, word(20)), all()};
  // Of the three bytes that are asked for, the answer has none.
  EXPECT_EQ(ask(stage, query, &witness).kind, AnswerKind::Sat); // it goes on, to the same
  EXPECT_EQ(asked, 2u);
  Answer answer = ask(stage, query); // 0 rounds: nothing is left to ask
  ASSERT_EQ(answer.kind, AnswerKind::Sat);
  EXPECT_EQ(asked, 2u);
  EXPECT_EQ(answer.model.byte(counter, 0), 0);
}

TEST_F(Counted, ContradictionsSayWhereTheyComeFrom) {
  CounterStage stage(c, circuits(c));
  std::vector<ExprPtr> query{is(100, 7), c.ule(word(5), k), c.ule(k, word(40)), all(), is(4, 'b')};
  Answer answer = ask(stage, query);
  EXPECT_EQ(answer.kind, AnswerKind::Unsat);
  EXPECT_EQ(statsOf(stage).unsat, 1u);
  ASSERT_FALSE(answer.core.empty());
  EXPECT_EQ(std::ranges::count(answer.core, query[0]), 0) << "it has no part in it";
  query.back() = is(3, 'a');
  query.front() = is(39, 7);
  answer = ask(stage, query);
  ASSERT_EQ(answer.kind, AnswerKind::Sat);
  EXPECT_TRUE(holdsAll(answer.model, query));
}

TEST_F(Counted, TooManyCasesGoOn) {
  unsigned asked = 0;
  CounterStage stage(c, std::make_unique<CountingSolver>(asked, Answer::unsat()));
  EXPECT_EQ(ask(stage, std::vector<ExprPtr>{c.ule(k, word(150)), all(), is(4, 'b')}).kind,
            AnswerKind::Unsat);
  EXPECT_EQ(asked, 1u);
  EXPECT_EQ(statsOf(stage).passedOn, 1u);
}

class RandomCases : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomCases, AnswersAreThoseOfTheExpansion) {
  Rng rng(GetParam());
  uint64_t sat = 0, unsat = 0, byCases = 0;
  for (unsigned n = 0; n < 1500;) {
    ExprContext c;
    expr::test::RandomQuantifiers random(c, rng);
    CounterStage stage(
        c, std::make_unique<QuantifierStage>(c, circuits(c), QuantifierStage::Options{}));
    ExpansionStage expansion(c, circuits(c));
    for (unsigned i = 0; i < 50 && n < 1500; ++i) {
      std::vector<ExprPtr> parts;
      for (uint64_t at = 0; at < 3; ++at)
        if (rng.below(8))
          parts.push_back(c.ult(c.read(random.numbers, at), c.constant(1 + rng.below(9), 8)));
      const std::vector<ExprPtr> query = quantifiedQuery(random, rng, std::move(parts));
      if (query.empty()) continue;
      ++n;
      const Model witness = randomText(random, rng);
      Answer want = ask(expansion, query);
      Answer got = ask(stage, query, rng.flip() ? &witness : nullptr);
      ASSERT_EQ(got.kind, want.kind) << n;
      ++(want.kind == AnswerKind::Sat ? sat : unsat);
      if (got.kind == AnswerKind::Sat) ASSERT_TRUE(holdsAll(got.model, query)) << n;
      if (got.kind == AnswerKind::Unsat && !got.core.empty()) {
        for (ExprPtr e : got.core) ASSERT_TRUE(std::ranges::find(query, e) != query.end()) << n;
        ASSERT_EQ(ask(expansion, got.core).kind, AnswerKind::Unsat) << n;
      }
    }
    std::vector<StageStats> stats;
    stage.appendStats(stats);
    byCases += stats[0].sat + stats[0].unsat;
  }
  std::printf("sat %llu, unsat %llu, by cases %llu\n", static_cast<unsigned long long>(sat),
              static_cast<unsigned long long>(unsat), static_cast<unsigned long long>(byCases));
  EXPECT_GT(sat, 300u);
  EXPECT_GT(unsat, 150u);
  EXPECT_GT(byCases, 500u);
}

INSTANTIATE_TEST_SUITE_P(SlowSeeds, RandomCases, testing::Values(1, 2));

} // namespace
