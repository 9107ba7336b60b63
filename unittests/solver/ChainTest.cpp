// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every combination of stages answers like Z3 alone, on random paths that fork, grow and change
// places.
#include "SolverTestUtil.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <unistd.h>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;

namespace {

/// Z3, and nothing else.
SolverOptions z3Alone() {
  SolverOptions o;
  o.useStages({"witness", "ranges", "slicing", "cache", "domains", "sat", "guided", "external"},
              false);
  o.useStages({"quantifiers", "counters", "constants"}, false);
  return o;
}

SolverOptions stages(unsigned mask) {
  SolverOptions o;
  o.useStages({"witness"}, mask & 1);
  o.useStages({"ranges"}, mask & 2);
  o.useStages({"slicing"}, mask & 4);
  o.useStages({"cache"}, mask & 8);
  o.useStages({"domains"}, mask & 16);
  // With one half of the others' combinations.
  o.useStages({"sat", "counters", "constants"}, __builtin_parity(mask));
  return o;
}

class Stages : public testing::TestWithParam<unsigned> {};

TEST_P(Stages, AnswerLikeZ3Alone) {
  const unsigned mask = GetParam();
  unsigned undecided = 0;
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    ExprContext c;
    Rng rng(seed);
    RandomConditions conditions(c, rng, seed == 2 ? 40 : 8);
    auto chain = makeChain(c, stages(mask)), alone = makeChain(c, z3Alone());
    ASSERT_EQ(alone->stats().size(), 1u);
    struct State {
      PathCondition path;
      Model model;
      bool hasModel = true;
    };
    std::vector<State> states(1);
    uint64_t version = 0;
    for (unsigned n = 0; n < 80; ++n) {
      State &s = states[rng.below(static_cast<uint32_t>(states.size()))];
      ExprPtr goal = conditions.goal();
      const Model *witness = s.hasModel && rng.below(8) ? &s.model : nullptr;
      Answer want = alone->check({.path = s.path, .goal = goal});
      Answer got = chain->check(
          {.path = s.path, .goal = goal, .witness = witness, .witnessVersion = ++version});
      if (want.kind == AnswerKind::Unknown || got.kind == AnswerKind::Unknown) { // a loaded machine
        ASSERT_EQ(want.kind == AnswerKind::Unknown ? want.reason : got.reason, "timeout");
        ASSERT_LT(++undecided, 5u);
        continue;
      }
      ASSERT_EQ(want.kind, got.kind)
          << "seed " << seed << " query " << n << ": " << toString(goal) << " " << got.reason;
      if (got.kind != AnswerKind::Sat) continue;
      ASSERT_TRUE(holds(got.model, s.path, goal))
          << "seed " << seed << " query " << n << ": " << toString(goal);
      Answer bare = chain->check({.path = s.path,
                                  .goal = goal,
                                  .witness = witness,
                                  .witnessVersion = version,
                                  .needModel = false});
      ASSERT_EQ(bare.kind, AnswerKind::Sat);
      State next = s;
      next.path.add(goal);
      next.model = got.model;
      if (states.size() < 6 && rng.flip())
        states.push_back(next);
      else if (next.path.size() < 25)
        s = next;
      else
        states = std::vector<State>(1);
      if (n == 40) // reclaim in the middle: the caches have to survive it or start over
        c.collect([&](auto visit) {
          for (const State &st : states)
            for (ExprPtr e : st.path.constraints()) visit(e);
          visit(conditions.table);
          chain->visitRoots(visit);
          if (seed != 1) alone->visitRoots(visit);
        });
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Ends, Stages, testing::Values(0u, 31u)); // none is off, and all
INSTANTIATE_TEST_SUITE_P(SlowAll, Stages, testing::Range(1u, 31u));

struct ChainFixture : testing::Test {
  ExprContext c;
  ExprPtr in = c.symbol("in", 16);
  ExprPtr byte(unsigned i) { return c.read(in, uint64_t(i)); }
  ExprPtr k(uint64_t v, unsigned w = 8) { return c.constant(v, w); }
};
struct ChainTest : ChainFixture {};

TEST_F(ChainTest, WitnessAnswersItsSideWithoutSolving) {
  auto chain = makeChain(c, {});
  PathCondition path;
  Model witness;
  witness.setByte(in, 0, 9);
  Answer a = chain->check(
      {.path = path, .goal = c.eq(byte(0), k(9)), .witness = &witness, .witnessVersion = 1});
  EXPECT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_EQ(countOf(*chain, "witness", &StageStats::sat), 1u);
  EXPECT_EQ(countOf(*chain, "witness", &StageStats::passedOn), 0u);
}

TEST_F(ChainTest, RangesDecideByteStringsAndKeepTheOtherBytes) {
  auto chain = makeChain(c, {});
  PathCondition path;
  Model witness;
  witness.setByte(in, 5, 77);
  for (unsigned i = 0; i < 4; ++i) path.add(c.ult(byte(i), k(10)));
  Answer a = chain->check({.path = path,
                           .goal = c.bvAnd(c.ult(k(5), byte(2)), c.eq(byte(3), k(4))),
                           .witness = &witness,
                           .witnessVersion = 1});
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_EQ(a.model.byte(in, 2), 6);
  EXPECT_EQ(a.model.byte(in, 5), 77);
  EXPECT_EQ(chain
                ->check({.path = path,
                         .goal = c.ult(k(9), byte(1)),
                         .witness = &witness,
                         .witnessVersion = 1})
                .kind,
            AnswerKind::Unsat);
  ExprPtr sum = c.add(c.zext(byte(0), 32), c.zext(byte(1), 32));
  EXPECT_EQ(chain
                ->check({.path = path,
                         .goal = c.ult(k(18, 32), sum),
                         .witness = &witness,
                         .witnessVersion = 1})
                .kind,
            AnswerKind::Unsat);
  // Nothing came through to what stands below.
  EXPECT_EQ(countOf(*chain, "ranges", &StageStats::sat), 1u);
  EXPECT_EQ(countOf(*chain, "ranges", &StageStats::unsat), 2u);
  EXPECT_EQ(countOf(*chain, "slicing", &StageStats::asked), 0u);
}

TEST_F(ChainTest, SlicingLeavesOutWhatIsIndependent) {
  SolverOptions o;
  o.useStages({"ranges"}, false);
  auto chain = makeChain(c, o);
  PathCondition path;
  Model witness;
  for (unsigned i = 0; i < 16; ++i) witness.setByte(in, i, static_cast<uint8_t>(i));
  for (unsigned i = 0; i + 1 < 8; i += 2) path.add(c.ult(byte(i), byte(i + 1)));
  Answer a = chain->check(
      {.path = path, .goal = c.eq(byte(0), k(200)), .witness = &witness, .witnessVersion = 1});
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_GT(a.model.byte(in, 1), 200);
  for (unsigned i = 2; i < 16; ++i)
    EXPECT_EQ(a.model.byte(in, i), i) << "an independent byte was changed";
}

TEST_F(ChainTest, WithoutWitnessEveryComponentIsSolved) {
  for (unsigned mask : {4u, 6u, 12u, 15u, 20u, 31u}) {
    auto chain = makeChain(c, stages(mask));
    PathCondition path;
    path.add(c.eq(c.mul(c.concat(byte(0), byte(1)), k(6, 16)), k(65, 16))); // no solution: odd
    EXPECT_EQ(chain->check({.path = path, .goal = c.eq(byte(9), k(1))}).kind, AnswerKind::Unsat)
        << mask;
    PathCondition other;
    other.add(c.ult(byte(2), byte(3)));
    Answer a = chain->check({.path = other, .goal = c.trueExpr()});
    ASSERT_EQ(a.kind, AnswerKind::Sat) << mask;
    EXPECT_LT(a.model.byte(in, 2), a.model.byte(in, 3));
  }
}

TEST_F(ChainTest, CacheKnowsSubsetsAndSupersets) {
  SolverOptions o;
  o.useStages({"witness", "ranges", "slicing"}, false);
  auto chain = makeChain(c, o);
  auto solved = [&] { return countOf(*chain, "cache", &StageStats::passedOn); };
  ExprPtr less = c.ult(byte(0), byte(1)), less2 = c.ult(byte(1), byte(2)),
          circle = c.ult(byte(2), byte(0));
  PathCondition path;
  path.add(less);
  path.add(less2);
  EXPECT_EQ(chain->check({.path = path, .goal = circle}).kind, AnswerKind::Unsat);
  path.add(c.eq(byte(5), byte(6)));
  EXPECT_EQ(solved(), 1u);
  EXPECT_EQ(chain->check({.path = path, .goal = circle}).kind, AnswerKind::Unsat);
  EXPECT_EQ(solved(), 1u) << "a superset of an unsatisfiable set";
  EXPECT_EQ(chain->check({.path = path, .goal = c.ult(byte(7), k(3))}).kind, AnswerKind::Sat);
  EXPECT_EQ(solved(), 2u);
  PathCondition prefix;
  prefix.add(less);
  EXPECT_EQ(chain->check({.path = prefix, .goal = less2}).kind, AnswerKind::Sat);
  EXPECT_EQ(solved(), 2u) << "a subset of a satisfiable set";
  // It is the cache that knows: without it each of them is solved.
  o.useStages({"cache"}, false);
  auto without = makeChain(c, o);
  without->check({.path = path, .goal = circle});
  without->check({.path = path, .goal = circle});
  EXPECT_EQ(countOf(*without, "domains", &StageStats::asked), 2u);
}

TEST_F(ChainTest, FalseOnThePathMakesEverythingUnsat) {
  for (unsigned mask = 0; mask < 32; ++mask) {
    auto chain = makeChain(c, stages(mask & ~1u));
    PathCondition path;
    path.add(c.falseExpr());
    EXPECT_EQ(chain->check({.path = path, .goal = c.trueExpr()}).kind, AnswerKind::Unsat) << mask;
  }
}

TEST_F(ChainTest, PathConditionSharesAndSplits) {
  PathCondition path;
  path.add(c.trueExpr());
  EXPECT_TRUE(path.empty());
  path.add(
      c.bvAnd(c.ult(byte(0), byte(1)), c.bvAnd(c.ult(byte(1), byte(2)), c.ult(byte(2), byte(3)))));
  EXPECT_EQ(path.size(), 3u);
  PathCondition fork = path;
  fork.add(c.eq(byte(4), k(1)));
  EXPECT_EQ(path.size(), 3u);
  EXPECT_EQ(fork.last()->previous.get(), path.last());
  PathCondition longPath;
  for (uint64_t i = 0; i < 1000000; ++i) longPath.add(c.ult(byte(i % 16), k(1 + i % 200)));
  EXPECT_GT(longPath.size(), 900000u);
} // the destructor must not recurse

TEST_F(ChainTest, LargeArraysReadAtAnyIndex) {
  ExprPtr large = c.symbol("large", 20000);
  ExprPtr i = c.zext(c.concat(byte(0), byte(1)), 64), r = c.read(large, i);
  for (unsigned mask : {0u, 31u}) {
    auto chain = makeChain(c, stages(mask));
    PathCondition path;
    path.add(c.ult(i, k(20000, 64)));
    path.add(c.eq(c.read(large, uint64_t(77)), k(5)));
    path.add(c.ult(k(15000, 64), i));
    Answer a = chain->check({.path = path, .goal = c.eq(r, k(9))});
    ASSERT_EQ(a.kind, AnswerKind::Sat) << a.reason;
    EXPECT_TRUE(holds(a.model, path, c.eq(r, k(9))));
    PathCondition same;
    same.add(c.eq(i, k(77, 64)));
    same.add(c.eq(c.read(large, uint64_t(77)), k(5)));
    EXPECT_EQ(chain->check({.path = same, .goal = c.eq(r, k(9))}).kind, AnswerKind::Unsat);
    PathCondition outside; // past the end it is 0
    outside.add(c.ult(k(30000, 64), i));
    EXPECT_EQ(chain->check({.path = outside, .goal = c.eq(r, k(9))}).kind, AnswerKind::Unsat);
  }
}

TEST_F(ChainTest, LogIsAnsweredAlikeByTheZ3Binary) {
  SolverOptions o;
  o.useStages({"cache", "ranges", "domains", "sat", "guided"}, false);
  o.logFile = testing::TempDir() + "fathom-log-" + std::to_string(getpid()) + ".smt2";
  std::remove(o.logFile.c_str());
  Rng rng(11);
  RandomConditions conditions(c, rng, 8);
  auto chain = makeChain(c, o);
  PathCondition path;
  for (int n = 0; n < 60; ++n) {
    ExprPtr goal = conditions.goal();
    Answer a = chain->check({.path = path, .goal = goal});
    if (a.kind == AnswerKind::Sat && path.size() < 12) path.add(goal);
  }
  std::vector<std::string> expected, got;
  std::ifstream log(o.logFile);
  for (std::string line; std::getline(log, line);)
    if (size_t at = line.find(", expected ");
        line.starts_with("; query") && at != std::string::npos)
      expected.push_back(line.substr(at + 11));
  FILE *z3 = popen(("z3 " + o.logFile).c_str(), "r");
  char line[256];
  while (z3 && std::fgets(line, sizeof line, z3))
    got.push_back(std::string(line, std::string_view(line).find_last_not_of('\n') + 1));
  if (z3) pclose(z3);
  EXPECT_GT(expected.size(), 40u);
  EXPECT_EQ(expected, got);
  std::remove(o.logFile.c_str());
}

} // namespace
