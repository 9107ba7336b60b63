// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The procedure for quantified queries: what each step finds, and that all answers are those of the
// expansion, whose meaning nobody doubts.
#include "QuantifiedQuery.h"

#include "solver/QuantifierStage.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;

namespace {

/// memspn(s, n, "a") and what follows it: forall i <= k. n > i - 1 and s[i - 1] == 'a'.
class Memspn : public testing::Test {
protected:
  ExprPtr word(uint64_t value) { return c.constant(value, 64); }
  ExprPtr number(ExprPtr array) {
    return c.zext(c.concat(c.read(array, uint64_t(1)), c.read(array, uint64_t(0))), 64);
  }
  ExprPtr is(ExprPtr index, uint64_t value) { return c.eq(c.read(s, index), c.constant(value, 8)); }
  ExprPtr merged(uint64_t value) {
    ExprPtr i = c.bound(range);
    return c.forall(range, k, c.bvAnd(c.ult(c.sub(i, word(1)), n), is(c.sub(i, word(1)), value)));
  }
  static constexpr uint64_t range = 1000;
  ExprContext c;
  ExprPtr s = c.symbol("s", range), nBytes = c.symbol("n", 2), kBytes = c.symbol("k", 2);
  ExprPtr n = number(nBytes), k = number(kBytes);
  QuantifierStage stage{c, circuits(c), {}};
};

TEST_F(Memspn, StrippingIsEnoughWhereTheRestDoesNotMatter) {
  std::vector<ExprPtr> query{merged('a'), c.ult(n, word(5)), c.ult(k, n), c.eq(k, word(0))};
  EXPECT_EQ(ask(stage, query).kind, AnswerKind::Sat);
  EXPECT_EQ(stage.steps().stripped, 1u);
  // forall i <= k. s[i-1] != 0, and s[n] == 0 where n < k: by what stripping says about n alone.
  query = {c.forall(range, k, c.bvNot(is(c.sub(c.bound(range), word(1)), 0))), is(n, 0),
           c.ult(n, k), c.ult(k, word(range))};
  EXPECT_EQ(ask(stage, query).kind, AnswerKind::Unsat);
  EXPECT_EQ(stage.steps().stripped, 2u);
  EXPECT_EQ(stage.steps().instances, 0u);
}

TEST_F(Memspn, DuplicationFillsTheBuffer) {
  std::vector<ExprPtr> query{merged('a'), c.bvNot(is(k, 'a')), c.ult(word(700), k), c.ult(k, n),
                             c.ule(n, word(range))};
  Answer answer = ask(stage, query);
  ASSERT_EQ(answer.kind, AnswerKind::Sat);
  EXPECT_TRUE(holdsAll(answer.model, query));
  EXPECT_EQ(stage.steps().duplicated, 1u);
}

/// The paper's examples 5 to 7.
TEST_F(Memspn, RepairKeepsWhatDuplicationBroke) {
  ExprPtr t = c.read(s, c.sub(c.bound(range), word(1)));
  std::vector<ExprPtr> query{c.forall(range, k, c.bvNot(c.eq(t, c.constant(0, 8)))),
                             is(n, 0),
                             is(word(0), 7),
                             is(word(3), 8),
                             c.ult(word(4), k),
                             c.ult(k, word(range)),
                             c.ult(n, word(range))};
  Answer answer = ask(stage, query);
  ASSERT_EQ(answer.kind, AnswerKind::Sat);
  EXPECT_TRUE(holdsAll(answer.model, query));
  EXPECT_EQ(stage.steps().repaired, 1u);
  EXPECT_EQ(stage.steps().refined, 0u);
}

TEST_F(Memspn, RefinementDecidesTheRest) {
  // s[i-1] == n - i: repair keeps n, which the fifth byte decides.
  ExprPtr i = c.bound(200);
  ExprPtr all = c.forall(200, k, c.eq(c.read(s, c.sub(i, word(1))), c.extract(c.sub(n, i), 0, 8)));
  std::vector<ExprPtr> query{all, c.eq(k, word(6)), is(word(4), 9)};
  Answer answer = ask(stage, query);
  ASSERT_EQ(answer.kind, AnswerKind::Sat);
  EXPECT_TRUE(holdsAll(answer.model, query));
  EXPECT_EQ(stage.steps().refined, 1u);
  query.push_back(is(word(5), 9));
  answer = ask(stage, query);
  EXPECT_EQ(answer.kind, AnswerKind::Unsat);
  for (ExprPtr e : answer.core)
    EXPECT_TRUE(std::ranges::find(query, e) != query.end()) << toString(e);
}

TEST_F(Memspn, WithoutItsStepsTheAnswersAreTheSame) {
  for (bool duplicates : {false, true})
    for (bool repairs : {false, true})
      for (bool matches : {false, true}) {
        QuantifierStage some(
            c, circuits(c),
            {.duplicates = duplicates, .repairs = repairs, .instantiatesMatches = matches});
        std::vector<ExprPtr> query{merged('a'), c.eq(k, word(5)), is(word(2), 'a')};
        Answer answer = ask(some, query);
        ASSERT_EQ(answer.kind, AnswerKind::Sat);
        EXPECT_TRUE(holdsAll(answer.model, query));
        query.push_back(is(word(4), 'b'));
        EXPECT_EQ(ask(some, query).kind, AnswerKind::Unsat);
        EXPECT_EQ(some.steps().undecided, 0u);
      }
}

TEST_F(Memspn, UnknownBelowIsUnknown) {
  unsigned asked = 0;
  QuantifierStage lost(
      c, std::make_unique<CountingSolver>(asked, Answer::unknown(UnknownReason::Timeout)), {});
  std::vector<ExprPtr> query{merged('a'), c.eq(k, word(5))};
  Answer answer = ask(lost, query);
  EXPECT_EQ(answer.kind, AnswerKind::Unknown);
  EXPECT_EQ(answer.why, UnknownReason::Timeout);
  EXPECT_EQ(asked, 1u);
}

/// The whole chain, every stage of which meets quantifiers.
TEST_F(Memspn, TheChainAnswersLikeTheExpansion) {
  SolverOptions options;
  options.crossCheck = true;
  for (bool procedure : {true, false}) {
    options.useStages({"quantifiers"}, procedure);
    auto chain = makeChain(c, options);
    PathCondition path;
    ExprPtr i = c.bound(20);
    path.add(c.forall(20, k, is(c.sub(i, word(1)), 'a')));
    path.add(c.ult(k, word(20)));
    path.add(c.bvNot(is(k, 'a')));
    auto kindOf = [&](ExprPtr goal) { return chain->check({.path = path, .goal = goal}).kind; };
    EXPECT_EQ(kindOf(is(word(4), 'b')), AnswerKind::Sat);
    EXPECT_EQ(kindOf(c.bvAnd(is(word(4), 'b'), c.eq(k, word(4)))), AnswerKind::Sat);
    EXPECT_EQ(kindOf(c.bvAnd(is(word(4), 'b'), c.eq(k, word(5)))), AnswerKind::Unsat);
    EXPECT_EQ(kindOf(c.forall(20, k, is(c.sub(i, word(1)), 'b'))), AnswerKind::Sat);
    EXPECT_EQ(kindOf(c.bvNot(c.forall(20, k, is(c.sub(i, word(1)), 'a')))), AnswerKind::Unsat);
  }
}

struct Tally {
  unsigned sat = 0, unsat = 0, fallback = 0, byZ3 = 0;
};

/// 10,000 queries in four parts.
class RandomQueries : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomQueries, AnswersAreThoseOfTheExpansion) {
  Rng rng(GetParam());
  Tally tally;
  uint64_t refined = 0;
  for (unsigned n = 0; n < 2500;) {
    ExprContext c;
    expr::test::RandomQuantifiers random(c, rng);
    QuantifierStage stage(c, circuits(c), {.instantiatesMatches = GetParam() % 2 == 0});
    ExpansionStage expansion(c, circuits(c));
    auto quantifying = z3(c);
    for (unsigned i = 0; i < 50 && n < 2500; ++i) {
      const std::vector<ExprPtr> query = quantifiedQuery(random, rng);
      if (query.empty()) continue;
      ++n;
      const Model witness = randomText(random, rng);
      Answer want = ask(expansion, query);
      Answer got = ask(stage, query, rng.flip() ? &witness : nullptr);
      auto text = [&] {
        std::string all = "query " + std::to_string(n) + " " + got.reason;
        for (ExprPtr e : query) all += "\n" + toString(e);
        return all;
      };
      ASSERT_NE(want.kind, AnswerKind::Unknown);
      ASSERT_EQ(got.kind, want.kind) << text();
      ++(want.kind == AnswerKind::Sat ? tally.sat : tally.unsat);
      if (got.kind == AnswerKind::Sat) ASSERT_TRUE(holdsAll(got.model, query)) << text();
      if (got.kind == AnswerKind::Unsat && !got.core.empty()) {
        for (ExprPtr e : got.core)
          ASSERT_TRUE(std::ranges::find(query, e) != query.end()) << text();
        ASSERT_EQ(ask(expansion, got.core).kind, AnswerKind::Unsat) << text();
      }
      if (n % 25) continue;
      Answer z3Says = ask(*quantifying, query, nullptr, std::chrono::milliseconds(300));
      if (z3Says.kind == AnswerKind::Unknown) continue;
      ++tally.byZ3;
      ASSERT_EQ(z3Says.kind, want.kind) << text();
    }
    refined += stage.steps().refined;
  }
  RecordProperty("refined", static_cast<int>(refined));
  std::printf("sat %u, unsat %u, refined %llu, by Z3's quantifiers %u\n", tally.sat, tally.unsat,
              static_cast<unsigned long long>(refined), tally.byZ3);
  EXPECT_LT(refined, 450u); // of 2,500: the rest is decided without instances one by one
  EXPECT_GT(tally.sat, 600u);
  EXPECT_GT(tally.unsat, 250u);
  EXPECT_GT(tally.byZ3, 30u);
}

INSTANTIATE_TEST_SUITE_P(SlowSeeds, RandomQueries, testing::Values(1, 2, 3, 4));

} // namespace
