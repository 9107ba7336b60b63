// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identity, names, reclaiming, height: what does not depend on rules. And the evaluator.
#include "RandomTerms.h"

#include "expr/Epochs.h"

#include <gtest/gtest.h>

#include <map>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::expr::test;

namespace {

TEST(Context, EqualTermsAreOneNode) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 4);
  ExprPtr a = c.read(in, uint64_t(0)), b = c.read(in, uint64_t(1));
  EXPECT_EQ(c.add(a, b), c.add(b, a));
  EXPECT_EQ(c.constant(0x1ff, 8), c.constant(0xff, 8));
  uint64_t wide[] = {1, 2};
  EXPECT_EQ(c.constantWide(wide, 128), c.constantWide(wide, 128));
  EXPECT_NE(c.constantWide(wide, 128), c.constantWide(wide, 127));
  std::vector<uint8_t> bytes{1, 2, 3};
  EXPECT_EQ(c.constArray(bytes), c.constArray(bytes));
}

TEST(Context, HashesAreTheSameInEveryContext) {
  auto build = [](ExprContext &c) {
    Rng rng(5);
    RandomTerms terms(c, rng);
    std::vector<uint32_t> hashes;
    for (int i = 0; i < 500; ++i) hashes.push_back(terms.grow(terms.someWidth())->hash());
    return hashes;
  };
  ExprContext one, two;
  std::vector<ExprPtr> shiftAddresses;
  for (uint64_t i = 0; i < 1000; ++i) shiftAddresses.push_back(two.constant(i, 33));
  EXPECT_EQ(build(one), build(two));
}

// Workers come to their symbols in different orders, and have to agree on the hash of a query.
TEST(Context, HashesDoNotDependOnTheOrderOfSymbols) {
  auto build = [](const std::vector<const char *> &names) {
    ExprContext c;
    std::map<std::string, ExprPtr> symbols;
    for (const char *name : names) symbols[name] = c.symbol(name, 4);
    ExprPtr a = c.read(symbols["a"], uint64_t(1)), b = c.read(symbols["b"], uint64_t(2));
    return c.ult(c.add(a, b), c.bvXor(a, c.constant(9, 8)))->hash();
  };
  EXPECT_EQ(build({"a", "b"}), build({"b", "other", "a"}));
  ExprContext c;
  EXPECT_NE(c.symbol("a", 4)->hash(), c.symbol("b", 4)->hash());
}

TEST(Context, NamesAreUniqueAndValidInSmtLib) {
  ExprContext c;
  auto name = [&](const char *wanted) { return c.symbol(wanted, 1)->array().name; };
  EXPECT_EQ(name("in"), "in");
  EXPECT_EQ(name("in"), "in_1");
  EXPECT_EQ(name("in_1"), "in_1_1");
  EXPECT_EQ(name("a b|c"), "a_b_c");
  EXPECT_EQ(name("1st"), "_1st");
  EXPECT_EQ(name("and"), "in_and");
  EXPECT_EQ(name(""), "in__");
  EXPECT_EQ(c.symbols().size(), 7u);
  EXPECT_EQ(c.symbols()[3]->array().index, 3u);
}

TEST(Context, UninitialisedBytesAreMarked) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 1), u = c.uninitByte(0), v = c.uninitByte(300);
  EXPECT_NE(u, v);
  EXPECT_EQ(u, c.uninitByte(0));
  EXPECT_EQ(c.uninitNumber(v), 300u);
  EXPECT_FALSE(c.uninitNumber(c.read(in, uint64_t(0))));
  EXPECT_TRUE(u->has(kHasUninit));
  EXPECT_FALSE(c.read(in, uint64_t(0))->has(kHasUninit));
  EXPECT_TRUE(c.zext(c.add(u, c.read(in, uint64_t(0))), 32)->has(kHasUninit));
  EXPECT_TRUE(c.symbols()[1]->array().name.starts_with("uninit"));
}

TEST(Context, FlagsOfReads) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 300), b = c.read(in, uint64_t(0));
  std::vector<uint8_t> bytes(256);
  for (size_t i = 0; i < 256; ++i) bytes[i] = static_cast<uint8_t>(i * 3);
  EXPECT_FALSE(b->has(kHasFreeIndexRead));
  EXPECT_TRUE(c.read(in, c.zext(b, 64))->has(kHasFreeIndexRead));
  EXPECT_FALSE(c.read(c.constArray(bytes), c.zext(b, 64))->has(kHasFreeIndexRead));
  EXPECT_TRUE(c.read(c.constArray(bytes), c.zext(b, 64))->has(kHasSymbol));
}

TEST(Collect, KeepsRootsAndFreesTheRest) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64);
  ExprPtr keep =
      c.eq(c.mul(c.zext(c.read(in, uint64_t(0)), 16), c.zext(c.read(in, uint64_t(1)), 16)),
           c.constant(7, 16));
  const std::string text = toString(keep);
  std::vector<uint8_t> bytes(100, 3);
  bytes[5] = 9;
  c.collect([&](auto visit) { visit(keep); });
  const uint64_t small = c.stats().live;
  for (uint64_t i = 0; i < 50000; ++i) c.add(c.read(in, i % 64), c.constant(i, 8));
  for (uint64_t i = 0; i < 5000; ++i) {
    uint64_t words[] = {i, 5, 7};
    c.bvXor(c.zext(c.read(in, i % 64), 192), c.constantWide(words, 192));
    bytes[i % 100] ^= static_cast<uint8_t>(i);
    c.read(c.constArray(bytes), c.zext(c.read(in, i % 64), 64));
  }
  EXPECT_GT(c.stats().live, small + 10000);
  const uint64_t before = c.collections();
  c.collect([&](auto visit) { visit(keep); });
  EXPECT_EQ(c.stats().live, small);
  EXPECT_EQ(c.collections(), before + 1);
  EXPECT_EQ(toString(keep), text);
  // Hash-consing still finds what was kept, and rebuilds what was not.
  EXPECT_EQ(c.eq(c.mul(c.zext(c.read(in, uint64_t(0)), 16), c.zext(c.read(in, uint64_t(1)), 16)),
                 c.constant(7, 16)),
            keep);
  EXPECT_EQ(c.stats().created - c.stats().swept, c.stats().live);
}

TEST(Collect, EvaluationsDoNotSurviveReuseOfNodes) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 2);
  Model m;
  m.setByte(in, 0, 5);
  Evaluator evaluator;
  evaluator.setModel(m, 1);
  for (uint64_t round = 0; round < 50; ++round) {
    for (uint64_t i = 0; i < 200; ++i) {
      ExprPtr e = c.add(c.mul(c.read(in, uint64_t(0)), c.constant(2 * (round * 200 + i) + 1, 8)),
                        c.constant(round, 8));
      EXPECT_EQ(evaluator.eval(e), (5 * (2 * (round * 200 + i) + 1) + round) & 255);
    }
    c.collect([](auto) {});
  }
}

TEST(Deep, SlowTermsOfAMillionLevels) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 4), x = c.zext(c.read(in, uint64_t(0)), 32);
  ExprPtr e = x, array = in, choice = x;
  for (uint64_t i = 0; i < 300000; ++i) {
    e = c.bvXor(c.mul(e, x), c.zext(c.read(in, i & 3), 32));
    choice = c.ite(c.ult(choice, c.zext(c.read(in, i & 3), 32)), c.add(choice, x),
                   c.constant(i * 7919, 32));
    array = c.store(array, c.zext(c.trunc(e, 8), 64), c.read(in, i & 3));
  }
  ASSERT_GT(e->height(), 500000u);
  Model m;
  m.setByte(in, 0, 3);
  Evaluator evaluator;
  evaluator.setModel(m, 1);
  uint32_t want = 3;
  for (uint64_t i = 0; i < 300000; ++i) want = (want * 3) ^ ((i & 3) == 0 ? 3 : 0);
  EXPECT_EQ(evaluator.eval(e), want);
  evaluator.eval(choice);
  evaluator.eval(c.read(array, c.zext(c.read(in, uint64_t(1)), 64)));
  EXPECT_GT(toString(e).size(), 1000000u);
  std::pair<ExprPtr, ExprPtr> replacement[] = {{x, c.constant(1, 32)}};
  ExprPtr substituted = c.substitute(e, replacement);
  EXPECT_GT(substituted->height(), 1000u);
  c.bvNot(c.eq(e, choice));
  c.collect([&](auto visit) { visit(e); });
  EXPECT_EQ(evaluator.eval(e), want);
}

TEST(Deep, LongBooleanChains) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64), any = c.falseExpr(), all = c.trueExpr(),
          select = c.constant(0, 8);
  for (uint64_t i = 0; i < 100000; ++i) {
    ExprPtr p = c.eq(c.add(c.read(in, i % 64), c.read(in, (i * 7 + 1) % 64)), c.constant(i, 8));
    any = c.bvOr(any, p);
    all = c.bvAnd(all, c.bvNot(p));
    select = c.ite(p, c.constant(i, 8), select);
  }
  EXPECT_EQ(c.bvNot(any)->width(), 1u);
  EXPECT_EQ(c.bvNot(all)->width(), 1u);
  EXPECT_EQ(c.eq(select, c.constant(9, 8))->width(), 1u);
  EXPECT_EQ(c.ult(c.zext(select, 32), c.constant(9, 32))->width(), 1u);
}

TEST(Substitute, RebuildsAndSimplifies) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 2), a = c.read(in, uint64_t(0)), b = c.read(in, uint64_t(1));
  std::pair<ExprPtr, ExprPtr> map[] = {{a, c.constant(3, 8)}};
  EXPECT_EQ(c.substitute(c.mul(c.add(a, b), a), map),
            c.mul(c.add(b, c.constant(3, 8)), c.constant(3, 8)));
  EXPECT_EQ(c.substitute(b, map), b);
  EXPECT_EQ(c.substitute(a, map), c.constant(3, 8));
}

TEST(Print, LetsAndSorts) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 2), a = c.read(in, uint64_t(0)), b = c.read(in, uint64_t(1)),
          sum = c.add(a, b);
  EXPECT_EQ(toString(c.bvAnd(c.ult(a, b), c.extract(c.mul(a, b), 7, 1))).find("#b1") !=
                std::string::npos,
            true);
  EXPECT_NE(toString(c.mul(sum, sum)).find("(let ((?1 (bvadd "), std::string::npos);
}

TEST(ModelTest, CopiesAreIndependentAndCompareByContent) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 4), other = c.symbol("other", 2);
  Model a;
  a.setByte(in, 2, 7);
  Model b = a;
  EXPECT_EQ(a, b);
  b.setByte(in, 2, 8);
  EXPECT_EQ(a.byte(in, 2), 7);
  EXPECT_NE(a, b);
  b.setByte(in, 2, 7);
  b.setByte(other, 1, 0);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.bytes(in), (std::vector<uint8_t>{0, 0, 7, 0}));
}

TEST(EvaluatorTest, SeveralEvaluatorsAndTheWrapOfTheCounter) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 1),
          e = c.mul(c.read(in, uint64_t(0)), c.add(c.read(in, uint64_t(0)), c.constant(1, 8)));
  Model one, two;
  one.setByte(in, 0, 2);
  two.setByte(in, 0, 3);
  Evaluator a, b;
  a.setModel(one, 1);
  b.setModel(two, 1);
  EXPECT_EQ(a.eval(e), 6u);
  EXPECT_EQ(b.eval(e), 12u);
  EXPECT_EQ(a.eval(e), 6u);
  Epochs::setNextForTest(~0u);
  b.setModel(two, 2);
  EXPECT_EQ(b.eval(e), 12u);
  b.setModel(two, 3); // wraps, and may now hand out the epoch that `a` holds
  for (uint64_t v = 4; v < 20; ++v) {
    b.setModel(two, v);
    EXPECT_EQ(b.eval(e), 12u);
    EXPECT_EQ(a.eval(e), 6u);
  }
  one.setByte(in, 0, 4);
  a.setModel(one, 2);
  EXPECT_EQ(a.eval(e), 20u);
}

} // namespace
