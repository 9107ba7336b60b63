// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stages know of a path: which constraints hang together, and what single bytes can be.
// Held against the definitions, computed anew for each path; and the two stages that rest on it,
// slicing and ranges, by what they pass on.
#include "SolverTestUtil.h"

#include "solver/PathIndex.h"
#include "solver/RangeStage.h"
#include "solver/SliceStage.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;

namespace {

/// The constraints that share bytes with the goal, directly or through others.
std::set<ExprPtr> sliceOf(SupportTable &supports, const std::vector<ExprPtr> &path, ExprPtr goal) {
  auto meet = [](const Support &a, const Support &b) {
    for (Cell x : a)
      for (Cell y : b)
        if (x == y || (x.symbol() == y.symbol() && (x.isWhole() || y.isWhole()))) return true;
    return false;
  };
  std::set<ExprPtr> found;
  std::vector<ExprPtr> reached{goal};
  for (size_t i = 0; i < reached.size(); i++)
    for (ExprPtr e : path)
      if (!found.count(e) && meet(supports.of(reached[i]), supports.of(e))) {
        found.insert(e);
        reached.push_back(e);
      }
  return found;
}

/// The values of a byte under the constraints on it alone.
std::set<unsigned> domainOf(SupportTable &supports, const std::vector<ExprPtr> &path,
                            ExprPtr symbol, uint64_t index) {
  std::set<unsigned> out;
  Evaluator evaluator;
  for (unsigned v = 0; v < 256; v++) {
    Model m;
    m.setByte(symbol, index, static_cast<uint8_t>(v));
    evaluator.setModel(m, v);
    bool holds = true;
    for (ExprPtr e : path) {
      const Support &s = supports.of(e);
      if (s.size() == 1 && s[0] == Cell::of(symbol->array().index, index))
        holds &= evaluator.isTrue(e);
    }
    if (holds) out.insert(v);
  }
  return out;
}

// One index for paths that grow, fork and are left, as the engine goes from state to state.
TEST(PathIndexTest, LikeItsDefinitionOnEveryPath) {
  constexpr unsigned kBytes = 6;
  unsigned sliced = 0, whole = 0, restricted = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    ExprContext c;
    Rng rng(seed);
    RandomConditions conditions(c, rng, kBytes);
    ExprPtr other = c.symbol("other", 40); // read by index now and then
    auto next = [&]() -> ExprPtr {
      if (rng.below(3)) return conditions.goal();
      ExprPtr at = rng.below(4) ? c.constant(rng.below(40), 64) : c.zext(conditions.byte(), 64);
      return c.ult(c.read(other, at), c.constant(rng.below(256), 8));
    };
    SupportTable supports(c);
    PathIndex index(c);
    std::vector<PathCondition> paths(1);
    for (unsigned n = 0; n < 150; ++n) {
      const uint32_t which = rng.below(static_cast<uint32_t>(paths.size()));
      if (paths.size() < 8 && rng.below(4) == 0) paths.push_back(PathCondition(paths[which]));
      PathCondition &path = paths[which];
      if (path.size() > 12) path = PathCondition();
      ExprPtr more = next(), goal = next();
      if (more->isConst() || goal->isConst()) continue;
      path.add(more);
      index.sync(path);
      const std::vector<ExprPtr> constraints = path.constraints();
      const ConstraintInfo *goals[] = {&index.info(goal)};
      std::vector<const ConstraintInfo *> slice;
      index.slice(goals, slice);
      std::set<ExprPtr> got;
      for (const ConstraintInfo *info : slice) got.insert(info->term);
      const std::set<ExprPtr> want = sliceOf(supports, constraints, goal);
      // Components over-approximate; on these constraints they are exact but for the arrays that
      // are read by index, whose bytes hang together then.
      bool byIndex = false;
      for (ExprPtr e : constraints) byIndex |= supports.readsByIndex(e);
      for (ExprPtr e : want) ASSERT_TRUE(got.count(e)) << "seed " << seed << " step " << n;
      if (!byIndex && !supports.readsByIndex(goal))
        ASSERT_EQ(got, want) << "seed " << seed << " step " << n;
      sliced += got.size() < constraints.size();
      whole += got.size() == constraints.size() && !got.empty();
      // Components: each constraint in one, and exactly once for each time that it is on the path.
      std::multiset<ExprPtr> inComponents;
      for (const auto &component : index.components())
        for (const ConstraintInfo *info : component) inComponents.insert(info->term);
      ASSERT_EQ(inComponents, std::multiset<ExprPtr>(constraints.begin(), constraints.end()));
      bool contradicts = false;
      for (uint64_t i = 0; i < kBytes; ++i) {
        const std::set<unsigned> values = domainOf(supports, constraints, conditions.in, i);
        const ByteSet domain = index.domain(Cell::of(conditions.in->array().index, i));
        for (unsigned v = 0; v < 256; ++v)
          ASSERT_EQ(domain.has(v), values.count(v) == 1) << "seed " << seed << " step " << n;
        restricted += values.size() < 256;
        contradicts |= values.empty();
      }
      if (contradicts) {
        ASSERT_TRUE(index.contradictory()) << "seed " << seed << " step " << n;
        path = PathCondition();
      }
    }
  }
  EXPECT_GT(sliced, 100u);
  EXPECT_GT(whole, 50u);
  EXPECT_GT(restricted, 300u);
}

struct IndexedStages : testing::Test {
  ExprContext c;
  ExprPtr in = c.symbol("in", 16);
  ExprPtr byte(unsigned i) { return c.read(in, uint64_t(i)); }
  ExprPtr k(uint64_t v, unsigned w = 8) { return c.constant(v, w); }
  std::shared_ptr<PathIndex> index = std::make_shared<PathIndex>(c);
  Model witness;
};

/// Keeps what it was asked.
class AskedSolver final : public ConjunctionSolver {
public:
  explicit AskedSolver(std::vector<std::vector<ExprPtr>> &asked) : asked_(asked) {}
  Answer solve(const Conjunction &query) override {
    asked_.emplace_back(query.constraints.begin(), query.constraints.end());
    return Answer::unsat();
  }
  void appendStats(std::vector<StageStats> &) const override {}

private:
  std::vector<std::vector<ExprPtr>> &asked_;
};

TEST_F(IndexedStages, SlicingPassesOnWhatHangsTogether) {
  std::vector<std::vector<ExprPtr>> asked;
  SliceStage slicing(index, std::make_unique<AskedSolver>(asked));
  ExprPtr a = c.ult(byte(0), byte(1)), b = c.ult(byte(2), byte(3)), d = c.ult(byte(1), byte(4)),
          e = c.ult(byte(8), byte(9)), goal = c.eq(byte(0), k(7));
  PathCondition path;
  for (ExprPtr x : {a, b, d, e}) path.add(x);
  EXPECT_EQ(slicing.check({.path = path, .goal = goal, .witness = &witness}).kind,
            AnswerKind::Unsat);
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0], (std::vector<ExprPtr>{a, d, goal})); // oldest first, the goal last
  path.add(c.ult(byte(4), byte(8)));                       // ties e to them
  slicing.check({.path = path, .goal = goal, .witness = &witness});
  EXPECT_EQ(asked[1].size(), 5u);
}

struct Ranges : IndexedStages {
  class Below final : public FeasibilityOracle {
  public:
    explicit Below(unsigned &asked) : asked_(asked) {}
    Answer check(const Query &) override {
      ++asked_;
      return Answer::unknown("passed on");
    }
    std::vector<StageStats> stats() const override { return {}; }

  private:
    unsigned &asked_;
  };
  unsigned passedOn = 0;
  RangeStage ranges{c, index, std::make_unique<Below>(passedOn)};
  PathCondition path;
  AnswerKind ask(ExprPtr goal) {
    return ranges.check({.path = path, .goal = goal, .witness = &witness}).kind;
  }
};

TEST_F(Ranges, DecidesBytesThatNothingTiesToOthers) {
  path.add(c.ult(byte(0), k(10)));
  path.add(c.ult(k(3), byte(0)));
  witness.setByte(in, 0, 5);
  EXPECT_EQ(ask(c.eq(byte(0), k(4))), AnswerKind::Sat);
  EXPECT_EQ(ask(c.eq(byte(0), k(3))), AnswerKind::Unsat);
  EXPECT_EQ(ask(c.ult(k(9), byte(0))), AnswerKind::Unsat);
  EXPECT_EQ(passedOn, 0u);
  path.add(c.ult(byte(0), byte(1))); // tied: what is possible by itself need not be
  EXPECT_EQ(ask(c.eq(byte(0), k(4))), AnswerKind::Unknown);
  EXPECT_EQ(ask(c.eq(byte(0), k(3))), AnswerKind::Unsat); // what is not, is not
  EXPECT_EQ(passedOn, 1u);
}

TEST_F(Ranges, WhatThePathSaysInTheseWordsIsDecided) {
  ExprPtr less = c.ult(byte(0), byte(1)); // neither intervals nor domains say anything of it
  path.add(less);
  EXPECT_EQ(ask(c.bvNot(less)), AnswerKind::Unsat);
  EXPECT_EQ(ask(less), AnswerKind::Sat);
  EXPECT_EQ(passedOn, 0u);
  EXPECT_EQ(ask(c.ult(byte(1), byte(2))), AnswerKind::Unknown);
  EXPECT_EQ(passedOn, 1u);
  path = PathCondition(); // another path
  EXPECT_EQ(ask(c.bvNot(less)), AnswerKind::Unknown);
}

TEST_F(Ranges, WhatIsNotFreeIsNotPassedOnWhenItIsNotToBe) {
  path.add(c.ult(byte(0), k(10)));
  auto free = [&](ExprPtr goal) {
    return ranges.check({.path = path, .goal = goal, .witness = &witness, .cheapStagesOnly = true})
        .kind;
  };
  EXPECT_EQ(free(c.eq(byte(0), k(4))), AnswerKind::Sat);
  EXPECT_EQ(free(c.eq(byte(0), k(14))), AnswerKind::Unsat);
  EXPECT_EQ(free(c.eq(byte(0), byte(1))), AnswerKind::Unknown);
  EXPECT_EQ(passedOn, 0u);
}

TEST_F(Ranges, TheModelIsTheWitnessButForTheGoal) {
  path.add(c.ult(k(3), byte(0)));
  witness.setByte(in, 0, 5);
  witness.setByte(in, 1, 77);
  Answer a = ranges.check(
      {.path = path, .goal = c.ult(byte(0), k(5)), .witness = &witness, .witnessVersion = 1});
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_EQ(a.model.byte(in, 0), 4);
  EXPECT_EQ(a.model.byte(in, 1), 77);
}

TEST_F(Ranges, RefutesByIntervals) {
  path.add(c.ult(byte(0), k(10)));
  path.add(c.ult(byte(1), k(10)));
  ExprPtr sum = c.add(c.zext(byte(0), 16), c.zext(byte(1), 16));
  EXPECT_EQ(ask(c.ult(k(18, 16), sum)), AnswerKind::Unsat);
  EXPECT_EQ(passedOn, 0u);
  EXPECT_EQ(ask(c.ult(k(17, 16), sum)), AnswerKind::Unknown); // 18 can be
  EXPECT_EQ(passedOn, 1u);
}

} // namespace
