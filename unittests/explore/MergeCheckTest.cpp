// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of merges finds every way in which one can be wrong.
#include "explore/merge/MergeCheck.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::explore;

namespace {

/// Two paths: x < 10 with the value 1, and x >= 10 with the value 2; x < 200 before both.
struct Merges : testing::Test {
  expr::ExprContext c;
  ExprPtr x = c.read(c.symbol("x", 1), uint64_t(0));
  ExprPtr counter = c.symbol("rounds", 1), k = c.read(counter, uint64_t(0));
  ExprPtr isSmall = c.ult(x, c.constant(10, 8)), isLarge = c.bvNot(isSmall);
  ExprPtr one = c.constant(1, 32), two = c.constant(2, 32);

  ExprPtr is(uint64_t count) { return c.eq(k, c.constant(count, 8)); }

  Merged byTree() {
    Merged m;
    m.root.add(c.ult(x, c.constant(200, 8)));
    m.condition = c.trueExpr();
    m.members = {{isSmall}, {isLarge}};
    m.values = {{{one, two}, c.ite(isSmall, one, two)}};
    return m;
  }
  Merged byPattern() {
    Merged m = byTree();
    m.counter = counter;
    m.members[0].count = 3;
    m.members[1].count = 4;
    m.condition = c.bvOr(c.bvAnd(is(3), isSmall), c.bvAnd(is(4), isLarge));
    m.values = {{{one, two}, c.sub(c.zext(k, 32), c.constant(2, 32))}};
    return m;
  }
  std::string wrong(const Merged &m) {
    const MergeCheck::Result result = MergeCheck(c, std::chrono::seconds(10)).check(m);
    EXPECT_EQ(result.open, 0u);
    return result.wrong;
  }
};

} // namespace

TEST_F(Merges, RightOnesAreRight) {
  EXPECT_EQ(wrong(byTree()), "");
  EXPECT_EQ(wrong(byPattern()), "");
}

TEST_F(Merges, AMemberIsLeftOut) {
  Merged m = byTree();
  m.condition = isSmall;
  EXPECT_EQ(wrong(m), "member 1 is left out");
  m = byPattern();
  m.condition = c.bvAnd(is(4), isLarge);
  EXPECT_EQ(wrong(m), "member 0 is left out");
}

TEST_F(Merges, ThereIsMore) {
  Merged m = byTree();
  m.members[0].condition = c.ult(x, c.constant(9, 8)); // who is 9?
  EXPECT_EQ(wrong(m), "there is more than the members");
  m = byPattern();
  m.condition = c.bvOr(m.condition, c.bvAnd(is(5), isLarge)); // a count that no path has
  EXPECT_EQ(wrong(m), "there is more than the members");
  m = byPattern();
  m.condition = c.bvOr(is(3), c.bvAnd(is(4), isLarge));
  EXPECT_EQ(wrong(m), "more than member 0 has its count");
}

TEST_F(Merges, AValueDiffers) {
  Merged m = byTree();
  m.values[0].merged = c.ite(isSmall, two, one);
  EXPECT_EQ(wrong(m), "a value of member 0 differs");
  m = byPattern();
  m.values[0].merged = one;
  EXPECT_EQ(wrong(m), "a value of member 1 differs");
}

// What holds before the loop counts.
TEST_F(Merges, TheRootsPathIsKnown) {
  Merged m = byTree();
  m.members[1].condition = c.bvAnd(isLarge, c.ult(x, c.constant(200, 8)));
  EXPECT_EQ(wrong(m), "");
}
