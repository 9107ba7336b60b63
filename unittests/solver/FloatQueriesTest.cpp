// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about floating point: answered as enumeration answers them, by Z3 alone and by the
// whole chain; models hold; the equations whose answers are known.
#include "RandomFloats.h"
#include "SolverTestUtil.h"

#include "expr/BatchEvaluator.h"
#include "expr/FloatBuilders.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;
using fathom::expr::test::RandomFloats;
using fathom::expr::test::somePattern;
using namespace std::chrono_literals;

namespace {

SolverOptions floatZ3Alone() {
  SolverOptions o;
  o.useStages({"witness", "ranges", "slicing", "cache", "domains"}, false);
  return o;
}

/// Is there a value of bytes 0 and 1 of `in` under which e, which reads no others, is true?
bool holdsForSome(ExprPtr e, ExprPtr in) {
  BatchEvaluator batch;
  const BatchEvaluator::Input inputs[] = {{in, 0}, {in, 1}};
  EXPECT_TRUE(batch.compile(inputs, std::span(&e, 1)));
  for (unsigned high = 0; high < 256; ++high) {
    for (unsigned low = 0; low < 256; ++low) {
      batch.input<uint8_t>(0)[low] = static_cast<uint8_t>(low);
      batch.input<uint8_t>(1)[low] = static_cast<uint8_t>(high);
    }
    batch.run(256);
    const uint8_t *values = batch.root<uint8_t>(0);
    if (std::any_of(values, values + 256, [](uint8_t v) { return v; })) return true;
  }
  return false;
}

class FloatQueries : public testing::TestWithParam<uint64_t> {};

TEST_P(FloatQueries, AreAnsweredAsEnumerationAnswersThem) {
  unsigned sat = 0, unsat = 0, undecided = 0;
  for (unsigned round = 0; round < 12; ++round) {
    Rng rng(GetParam() * 100 + round);
    ExprContext c;
    RandomFloats terms(c, rng);
    for (unsigned n = 0; n < 10; ++n) terms.grow(terms.floatWidth());
    // All bytes but two are given, so that there are 65536 inputs.
    std::vector<std::pair<ExprPtr, ExprPtr>> given;
    for (unsigned width : {16u, 32u, 64u}) {
      const uint64_t bits = somePattern(width, rng);
      const uint64_t first = width == 64 ? 8 : width == 32 ? 4 : 2;
      for (unsigned i = 0; i < width / 8; ++i)
        given.push_back({c.read(terms.input, first + i), c.constant(bits >> 8 * i, 8)});
    }
    auto alone = makeChain(c, floatZ3Alone()), chain = makeChain(c, {});
    for (unsigned n = 0; n < 6; ++n) {
      ExprPtr goal = terms.grow(1);
      for (unsigned more = rng.below(3); more > 0; --more) goal = c.bvAnd(goal, terms.grow(1));
      goal = c.substitute(goal, given);
      if (goal->isConst() || goal->height() > 25) continue;
      const bool want = holdsForSome(goal, terms.input);
      for (FeasibilityOracle *oracle : {alone.get(), chain.get()}) {
        Answer answer = oracle->check({.path = {}, .goal = goal, .timeout = 3000ms});
        if (answer.kind == AnswerKind::Unknown) {
          ASSERT_EQ(answer.reason, "timeout") << toString(goal); // not that a model does not hold
          ++undecided;
          continue;
        }
        ASSERT_EQ(answer.kind == AnswerKind::Sat, want) << toString(goal);
        ++(want ? sat : unsat);
        if (want) {
          ASSERT_TRUE(holds(answer.model, {}, goal)) << toString(goal);
        }
      }
    }
  }
  EXPECT_GT(sat, 10u);
  EXPECT_GT(unsat, 4u);
  EXPECT_LT(undecided, (sat + unsat) / 5);
}
INSTANTIATE_TEST_SUITE_P(Seeds, FloatQueries, testing::Values(1, 2, 3));

struct Known : testing::Test {
  ExprContext c;
  ExprPtr in = c.symbol("in", 16);
  ExprPtr x = word(0), y = word(8);
  std::unique_ptr<FeasibilityOracle> alone = makeChain(c, floatZ3Alone());

  ExprPtr word(uint64_t at) {
    ExprPtr e = c.read(in, at);
    for (uint64_t i = 1; i < 8; ++i) e = c.concat(c.read(in, at + i), e);
    return e;
  }
  ExprPtr k(double v) { return c.constant(bitsOf(v), 64); }
  double valueOf(ExprPtr e, const Model &m) {
    Evaluator evaluator;
    evaluator.setModel(m, 0);
    return floatOf<double>(evaluator.eval(e));
  }
  Answer ask(ExprPtr goal) { return alone->check({.path = {}, .goal = goal, .timeout = 30000ms}); }
};

TEST_F(Known, AFractionThatDecimalsDoNotHave) {
  Answer answer = ask(feq(c, fadd(c, x, k(0.1)), k(0.3)));
  ASSERT_EQ(answer.kind, AnswerKind::Sat) << answer.reason;
  EXPECT_EQ(valueOf(x, answer.model) + 0.1, 0.3);
  // x - x is 0 for every number that is not infinite.
  ExprPtr finite = flt(c, fabs(c, x), k(INFINITY));
  EXPECT_EQ(ask(c.bvAnd(finite, c.bvNot(feq(c, fsub(c, x, x), k(0))))).kind, AnswerKind::Unsat);
}

TEST_F(Known, ComparisonsOfBitsNeedNoTheory) {
  ExprPtr between = c.bvAnd(flt(c, k(-3), x), fle(c, x, k(-2.5)));
  EXPECT_FALSE(between->has(kHasFloat));
  Answer answer = ask(c.bvAnd(between, flt(c, fneg(c, x), y)));
  ASSERT_EQ(answer.kind, AnswerKind::Sat);
  EXPECT_GT(valueOf(x, answer.model), -3);
  EXPECT_LE(valueOf(x, answer.model), -2.5);
  EXPECT_LT(-valueOf(x, answer.model), valueOf(y, answer.model));
  EXPECT_EQ(ask(c.bvAnd(flt(c, x, y), fle(c, y, x))).kind, AnswerKind::Unsat);
  EXPECT_EQ(ask(c.bvAnd(feq(c, x, y), c.ne(x, y))).kind, AnswerKind::Sat); // 0 and -0
}

TEST_F(Known, WhichNaNItIs) {
  // inf - inf is the default one, and a payload goes through.
  ExprPtr difference = fsub(c, x, y);
  Answer answer = ask(c.bvAnd(c.eq(difference, c.constant(0xfff8000000000000, 64)), feq(c, x, x)));
  ASSERT_EQ(answer.kind, AnswerKind::Sat) << answer.reason;
  answer = ask(c.eq(fmul(c, k(2), x), c.constant(0x7ff8000000000123, 64)));
  ASSERT_EQ(answer.kind, AnswerKind::Sat) << answer.reason;
  EXPECT_EQ(ask(c.eq(fmul(c, k(2), x), c.constant(0x7ff0000000000123, 64))).kind,
            AnswerKind::Unsat); // never a signalling one
}

TEST_F(Known, ATableReadAtARoundedIndex) {
  std::vector<uint8_t> contents(300);
  for (size_t i = 0; i < contents.size(); ++i) contents[i] = static_cast<uint8_t>(i / 2);
  ExprPtr index = c.bvAnd(ftos(c, fmul(c, x, k(1.5)), 64), c.constant(255, 64));
  Answer answer = ask(c.eq(c.read(c.constArray(contents), index), c.constant(100, 8)));
  ASSERT_EQ(answer.kind, AnswerKind::Sat) << answer.reason;
}

TEST_F(Known, ALargeArrayReadAtARoundedIndex) { // a Z3 array and its theory of numbers together
  ExprPtr big = c.symbol("big", 100000);
  ExprPtr byte = c.read(big, ftou(c, fadd(c, x, k(0.5)), 64));
  ExprPtr goal = c.bvAnd(c.eq(byte, c.constant(7, 8)), flt(c, k(20000), x));
  Answer answer = ask(goal);
  ASSERT_EQ(answer.kind, AnswerKind::Sat) << answer.reason;
  EXPECT_TRUE(holds(answer.model, {}, goal));
}

} // namespace
