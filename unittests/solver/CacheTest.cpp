// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the cache answers by itself, and that its lists are bounded.
#include "SolverTestUtil.h"

#include "solver/CacheStage.h"

#include <gtest/gtest.h>

using namespace fathom::expr;
using namespace fathom::solver;
using namespace fathom::solver::test;

namespace {

struct Cache : testing::Test {
  ExprContext c;
  ExprPtr in = c.symbol("in", 4096);
  ExprPtr goal = c.ult(c.read(in, uint64_t(4000)), c.constant(3, 8));
  unsigned asked = 0;
  CacheStage cache{c, std::make_unique<CountingSolver>(asked, Answer::unsat())};

  ExprPtr condition(unsigned i) { return c.ult(c.read(in, uint64_t(i)), c.constant(9, 8)); }
  void ask(std::vector<ExprPtr> constraints) {
    constraints.push_back(goal);
    EXPECT_EQ(cache.solve({.constraints = constraints, .deadline = {}}).kind, AnswerKind::Unsat);
  }
};

TEST_F(Cache, SupersetOfAnUnsatisfiableSet) {
  ask({condition(0)});
  ask({condition(0)});
  ask({condition(1), condition(0), condition(2)});
  EXPECT_EQ(asked, 1u);
  ask({condition(1)});
  EXPECT_EQ(asked, 2u);
}

// One goal refuted on very many paths: the latest are compared with, not all.
TEST_F(Cache, KeepsTheLatestSetsOfAGoal) {
  for (unsigned i = 0; i < 1000; ++i) ask({condition(i)});
  EXPECT_EQ(asked, 1000u);
  ask({condition(2000), condition(999)});
  EXPECT_EQ(asked, 1000u);
  ask({condition(2001), condition(0)}); // forgotten as a subset ...
  EXPECT_EQ(asked, 1001u);
  ask({condition(0)}); // ... but not as itself
  EXPECT_EQ(asked, 1001u);
}

// An unsatisfiable answer with a core: only the core is compared with.
TEST_F(Cache, CoreOfAnUnsatisfiableSet) {
  CacheStage cores{c, std::make_unique<CountingSolver>(asked, Answer::unsat({condition(0), goal}))};
  auto answer = [&](std::vector<ExprPtr> constraints) {
    constraints.push_back(goal);
    return cores.solve({.constraints = constraints, .deadline = {}}).kind;
  };
  EXPECT_EQ(answer({condition(1), condition(0)}), AnswerKind::Unsat);
  EXPECT_EQ(answer({condition(2), condition(3), condition(0)}), AnswerKind::Unsat);
  EXPECT_EQ(answer({condition(0)}), AnswerKind::Unsat);
  EXPECT_EQ(asked, 1u);
  EXPECT_EQ(answer({condition(1)}), AnswerKind::Unsat); // not a superset of the core
  EXPECT_EQ(asked, 2u);
}

} // namespace
