// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SolverTestUtil.h"

#include "solver/Values.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::expr;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<FeasibilityOracle> crossChecked(ExprContext &c) {
  SolverOptions options;
  options.crossCheck = true;
  return makeChain(c, options);
}

struct ValuesTest : testing::Test {
  ExprContext c;
  ExprPtr in = c.symbol("in", 8), a = c.zext(c.read(in, uint64_t(0)), 32),
          b = c.zext(c.read(in, uint64_t(1)), 32);
  std::unique_ptr<FeasibilityOracle> chain = crossChecked(c);
  PathCondition path;
  Model witness;
  void SetUp() override {
    path.add(c.ult(c.constant(9, 32), a));
    path.add(c.ult(a, c.constant(20, 32)));
    path.add(c.ult(b, a));
    witness.setByte(in, 0, 12);
    witness.setByte(in, 1, 3);
  }
};

TEST_F(ValuesTest, Range) {
  solver::Range r =
      feasibleRange(*chain, path, &witness, 1, c.add(c.mul(a, c.constant(4, 32)), b), 5000ms, c);
  EXPECT_TRUE(r.exact);
  EXPECT_EQ(r.min, 40u);
  EXPECT_EQ(r.max, 19u * 4 + 18);
}

TEST_F(ValuesTest, RangeEnclosesWhenUndecided) {
  solver::Range r =
      feasibleRange(*chain, path, &witness, 1,
                    c.add(c.mul(a, b), c.urem(a, c.add(b, c.constant(1, 32)))), 0ms, c);
  EXPECT_LE(r.min, 36u);
  EXPECT_GE(r.max, 36u);
}

TEST_F(ValuesTest, Enumeration) {
  Values v = feasibleValues(*chain, path, &witness, 1, c.udiv(a, c.constant(5, 32)), 10, 5000ms, c);
  EXPECT_TRUE(v.complete);
  std::sort(v.values.begin(), v.values.end());
  EXPECT_EQ(v.values, (std::vector<uint64_t>{2, 3}));
  v = feasibleValues(*chain, path, nullptr, 0, a, 4, 5000ms, c);
  EXPECT_FALSE(v.complete);
  EXPECT_EQ(v.values.size(), 4u);
  v = feasibleValues(*chain, path, &witness, 1, c.ult(a, b), 4, 5000ms, c);
  EXPECT_TRUE(v.complete);
  EXPECT_EQ(v.values, std::vector<uint64_t>{0});
}

} // namespace
