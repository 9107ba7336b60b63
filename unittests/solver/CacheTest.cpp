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

// Models that do not help are tried now and then only; when one helps, all are tried again.
TEST_F(Cache, RecentModelsAreTriedAsTheyHelp) {
  class Solver final : public ConjunctionSolver {
  public:
    Solver(unsigned &asked, ExprPtr in) : asked_(asked), in_(in) {}
    Answer solve(const Conjunction &) override {
      Model model; // byte 0 counts the answers
      model.setByte(in_, 0, static_cast<uint8_t>(++asked_));
      return Answer::sat(std::move(model));
    }
    void appendStats(std::vector<StageStats> &) const override {}

  private:
    unsigned &asked_;
    ExprPtr in_;
  };
  CacheStage models{c, std::make_unique<Solver>(asked, in)};
  auto answer = [&](ExprPtr e) {
    const std::vector<ExprPtr> constraints{e};
    return models.solve({.constraints = constraints, .deadline = {}, .needModel = true});
  };
  ExprPtr count = c.read(in, uint64_t(0));
  for (unsigned i = 1; i <= 100; ++i) answer(c.eq(count, c.constant(i, 8)));
  ASSERT_EQ(asked, 100u);
  // The latest model satisfies each of these.
  auto other = [&](unsigned i) { return c.ult(c.constant(10 + i, 8), count); };
  unsigned found = 0;
  for (; found < 100 && asked == 100 + found; ++found) answer(other(found));
  EXPECT_GT(found, 1u) << "tried at once";
  EXPECT_LE(found, 17u) << "not tried any more";
  const unsigned then = asked;
  for (unsigned i = 0; i < 20; ++i) answer(other(50 + i));
  EXPECT_EQ(asked, then);
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

// A model of a satisfiable set is one of each of its subsets. The models of the other sets asked
// about are none, so that it is not found by trying the latest.
TEST_F(Cache, SubsetOfASatisfiableSet) {
  class Solver final : public ConjunctionSolver {
  public:
    Solver(unsigned &asked, ExprPtr in) : asked_(asked), in_(in) {}
    Answer solve(const Conjunction &) override {
      Model model; // of the sets that are asked about here
      for (uint64_t i = 0; i < 4096; ++i)
        model.setByte(in_, i, static_cast<uint8_t>(i == asked_ || i == 4000 ? 1 : 200));
      ++asked_;
      return Answer::sat(std::move(model));
    }
    void appendStats(std::vector<StageStats> &) const override {}

  private:
    unsigned &asked_;
    ExprPtr in_;
  };
  CacheStage models{c, std::make_unique<Solver>(asked, in)};
  auto answer = [&](std::vector<ExprPtr> constraints) {
    return models.solve({.constraints = constraints, .deadline = {}});
  };
  auto large = [&](unsigned i) { return c.ult(c.constant(100, 8), c.read(in, uint64_t(i))); };
  EXPECT_EQ(answer({condition(0), large(1), large(2), goal}).kind, AnswerKind::Sat);
  for (unsigned i = 1; i < 20; ++i) answer({condition(i), large(0), goal});
  EXPECT_EQ(asked, 20u);
  // The latest models have 200 where this wants less than 9.
  Answer a = answer({condition(0), goal, large(1)});
  EXPECT_EQ(asked, 20u);
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_EQ(a.model.byte(in, 0), 1);
  EXPECT_EQ(a.model.byte(in, 1), 200);
  // What has something of its own is no subset.
  answer({condition(0), condition(1), large(2)});
  EXPECT_EQ(asked, 21u);
}

} // namespace
