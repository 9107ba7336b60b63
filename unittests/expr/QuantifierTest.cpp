// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounded quantifiers: each formula means what its expansion means, for the evaluator, in text and
// after replacing what is below it.
#include "Prover.h"
#include "RandomQuantifiers.h"

#include "expr/Epochs.h"
#include "expr/Facts.h"
#include "expr/Model.h"
#include "expr/Quantifiers.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::expr::test;

namespace {

class Quantifiers : public testing::Test {
protected:
  ExprPtr word(uint64_t value) { return c.constant(value, 64); }
  ExprPtr is(ExprPtr byte, uint64_t value) { return c.eq(byte, c.constant(value, 8)); }
  bool holds(ExprPtr e) {
    evaluator.setModel(model, ++version);
    return evaluator.isTrue(e);
  }
  ExprContext c;
  ExprPtr s = c.symbol("s", 1000), k = c.symbol("k", 2);
  ExprPtr count = c.zext(c.concat(c.read(k, uint64_t(1)), c.read(k, uint64_t(0))), 64);
  Model model;
  Evaluator evaluator;
  uint64_t version = 0;
};

TEST_F(Quantifiers, HoldForAllNumbersUpToTheCount) {
  ExprPtr i = c.bound(1000);
  ExprPtr all = c.forall(1000, count, is(c.read(s, c.sub(i, word(1))), 'a'));
  ASSERT_EQ(all->kind(), Kind::Forall);
  EXPECT_TRUE(holds(all)); // of none
  model.setByte(k, 0, 0x2c);
  model.setByte(k, 1, 1); // 300
  for (uint64_t at = 0; at < 299; ++at) model.setByte(s, at, 'a');
  EXPECT_FALSE(holds(all));
  model.setByte(s, 299, 'a');
  EXPECT_TRUE(holds(all));
  model.setByte(k, 0, 0x2d);
  EXPECT_FALSE(holds(all));
  model.setByte(k, 1, 0xff); // the range ends it
  for (uint64_t at = 300; at < 1000; ++at) model.setByte(s, at, 'a');
  EXPECT_TRUE(holds(all));
}

TEST_F(Quantifiers, AreSimplifiedToWhatNeedsNone) {
  ExprPtr i = c.bound(5), isOne = is(c.read(s, i), 1), x = is(c.read(k, uint64_t(0)), 7);
  EXPECT_TRUE(c.forall(5, word(0), isOne)->isTrue());
  EXPECT_TRUE(c.forall(5, count, c.trueExpr())->isTrue());
  EXPECT_EQ(c.forall(5, count, x), c.bvOr(c.eq(count, word(0)), x));
  EXPECT_EQ(c.forall(1, count, is(c.read(s, c.bound(1)), 1)),
            c.bvOr(c.eq(count, word(0)), is(c.read(s, uint64_t(1)), 1)));
  // A smaller count is the range.
  EXPECT_EQ(c.forall(5, word(3), isOne), c.forall(3, word(3), is(c.read(s, c.bound(3)), 1)));
}

TEST_F(Quantifiers, AreClosedAndTheirBodiesOpen) {
  ExprPtr i = c.bound(9), body = is(c.read(s, i), 1), all = c.forall(9, count, body);
  EXPECT_TRUE(body->has(kIsOpen));
  EXPECT_FALSE(body->has(kHasForall));
  EXPECT_FALSE(all->has(kIsOpen));
  EXPECT_TRUE(all->has(kHasForall));
  EXPECT_TRUE(c.bvNot(all)->has(kHasForall));
  EXPECT_TRUE(all->has(kHasFreeIndexRead));
  EXPECT_EQ(factsOf(c.sub(i, word(1))).max, 8u);
}

/// An inner quantifier counts its own numbers, although its variable is the same node.
TEST_F(Quantifiers, InnerOnesKeepTheirNumber) {
  ExprPtr i = c.bound(4);
  ExprPtr inner = c.forall(4, count, is(c.read(s, i), 'a'));
  ExprPtr outer = c.forall(4, count, c.bvOr(is(c.read(s, c.add(i, word(10))), 'b'), inner));
  ASSERT_EQ(outer->kind(), Kind::Forall);
  EXPECT_EQ(instance(c, outer, word(3)), c.bvOr(is(c.read(s, uint64_t(13)), 'b'), inner));
  model.setByte(k, 0, 2);
  model.setByte(s, 11, 'b');
  EXPECT_FALSE(holds(outer));
  model.setByte(s, 1, 'a');
  EXPECT_FALSE(holds(outer));
  model.setByte(s, 2, 'a');
  EXPECT_TRUE(holds(outer));
  EXPECT_TRUE(holds(expand(c, outer)));
}

TEST_F(Quantifiers, TermsBelowThemAreReplaced) {
  ExprPtr t = c.symbol("t", 1000), i = c.bound(7);
  ExprPtr all = c.forall(7, count, is(c.read(s, i), 3));
  std::pair<ExprPtr, ExprPtr> other{s, t}, two{c.read(k, uint64_t(0)), c.constant(2, 8)},
      none{c.read(k, uint64_t(1)), c.constant(0, 8)};
  EXPECT_EQ(c.substitute(all, std::span(&other, 1)), c.forall(7, count, is(c.read(t, i), 3)));
  std::pair<ExprPtr, ExprPtr> known[] = {two, none};
  EXPECT_EQ(c.substitute(all, known), c.forall(2, word(2), is(c.read(s, c.bound(2)), 3)));
}

TEST_F(Quantifiers, AreCollectedAndKept) {
  ExprPtr all = c.forall(7, count, is(c.read(s, c.bound(7)), 3));
  const std::string before = toString(all);
  c.collect([&](auto mark) { mark(all); });
  EXPECT_EQ(toString(all), before);
  EXPECT_EQ(c.forall(7, count, is(c.read(s, c.bound(7)), 3)), all);
}

TEST_F(Quantifiers, AreFormulasInSmtLib) {
  ExprPtr read = c.read(s, c.bound(7));
  ExprPtr all = c.forall(7, c.zext(c.read(k, uint64_t(0)), 64),
                         c.bvOr(is(read, 3), c.ult(read, c.read(k, uint64_t(1)))));
  EXPECT_EQ(toFormula(all),
            "(forall ((?i (_ BitVec 64))) (or (= ?i #x0000000000000000) (bvult "
            "#x0000000000000007 ?i) (bvult ((_ zero_extend 56) (select k #x0000000000000000)) ?i) "
            "(let ((?1 (select s ?i))) (or (= ?1 #x03) (bvult ?1 (select k "
            "#x0000000000000001))))))");
}

TEST(RandomQuantifiers, MeanWhatTheirExpansionsMean) {
  ExprContext c;
  Rng rng(3);
  RandomQuantifiers random(c, rng);
  Evaluator evaluator;
  uint64_t version = 0;
  unsigned quantified = 0, held = 0;
  for (unsigned n = 0; n < 3000; ++n) {
    ExprPtr e = random.clause(), expanded = expand(c, e);
    ASSERT_FALSE(expanded->has(kHasForall));
    quantified += e->has(kHasForall);
    if (n == 1500) Epochs::setNextForTest(~0u - 5); // all epochs are used up amid an evaluation
    for (unsigned m = 0; m < 8; ++m) {
      Model model;
      for (uint64_t i = 0; i < 12; ++i)
        model.setByte(random.text, i, static_cast<uint8_t>(97 + rng.below(2)));
      for (uint64_t i = 0; i < 8; ++i)
        model.setByte(random.other, i, static_cast<uint8_t>(97 + rng.below(2)));
      for (uint64_t i = 0; i < 3; ++i)
        model.setByte(random.numbers, i, static_cast<uint8_t>(rng.below(12)));
      evaluator.setModel(model, ++version);
      const bool value = evaluator.isTrue(e);
      held += value;
      ASSERT_EQ(value, evaluator.isTrue(expanded)) << n << ": " << toString(e);
    }
  }
  EXPECT_GT(quantified, 2000u);
  EXPECT_GT(held, 2000u);
  EXPECT_LT(held, 22000u);
}

/// ... for Z3 too, as far as its quantifiers decide.
TEST(RandomQuantifiers, AreThatToZ3) {
  Rng rng(4);
  unsigned decided = 0;
  Prover prover;
  for (unsigned n = 0; n < 60; ++n) {
    ExprContext c;
    RandomQuantifiers random(c, rng);
    ExprPtr e = random.clause();
    const auto verdict = prover.equal(c, e, c, expand(c, e), 300);
    ASSERT_NE(verdict, Prover::Verdict::Different) << toString(e);
    decided += verdict == Prover::Verdict::Equal;
  }
  EXPECT_GT(decided, 20u);
}

} // namespace
