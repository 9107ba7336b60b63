// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The domains stage by itself: agrees with Z3 and with brute force, and passes on what it does not
// take.
#include "SolverTestUtil.h"

#include "solver/DomainSearch.h"
#include "solver/DomainStage.h"
#include "solver/Z3Stage.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<ConjunctionSolver> below(unsigned &asked) {
  return std::make_unique<CountingSolver>(asked, Answer::unknown("passed on"));
}

struct DomainStageTest : testing::Test {
  ExprContext c;
  ExprPtr in = c.symbol("in", 64);
  unsigned passedOn = 0;
  std::unique_ptr<DomainStage> stage = make(200'000'000);

  std::unique_ptr<DomainStage> make(uint64_t budget) {
    return std::make_unique<DomainStage>(c, budget, nullptr, below(passedOn));
  }
  ExprPtr byte(uint64_t i) { return c.read(in, i); }
  ExprPtr k(uint64_t v, unsigned w = 8) { return c.constant(v, w); }
  Answer ask(std::vector<ExprPtr> constraints, const Model *witness = nullptr,
             bool needModel = true) {
    return stage->solve({.constraints = constraints,
                         .deadline = Clock::now() + 10s,
                         .needModel = needModel,
                         .witness = witness});
  }
};

// --- against Z3
// -----------------------------------------------------------------------------------------------------

class RandomSets : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSets, AnswerLikeZ3Alone) {
  const unsigned bytes = GetParam();
  unsigned sat = 0, unsat = 0, passedOn = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    ExprContext c;
    Rng rng(seed * 100 + bytes);
    RandomConditions conditions(c, rng, bytes);
    DomainStage stage(c, 1'000'000'000, nullptr, below(passedOn));
    Z3Stage reference(c, {});
    Model witness;
    for (unsigned n = 0; n < 100; ++n) {
      std::vector<ExprPtr> set =
          distinctConditions(1 + rng.below(6), [&] { return conditions.goal(); });
      for (unsigned i = 0; i < bytes; ++i)
        witness.setByte(conditions.in, i, static_cast<uint8_t>(rng.next()));
      Conjunction query{.constraints = set, .deadline = Clock::now() + 20s};
      if (rng.flip()) query.witness = &witness;
      Answer got = stage.solve(query), want = reference.solve(query);
      ASSERT_NE(want.kind, AnswerKind::Unknown) << want.reason;
      if (got.kind == AnswerKind::Unknown) continue;
      ++(got.kind == AnswerKind::Sat ? sat : unsat);
      ASSERT_EQ(got.kind, want.kind) << "seed " << seed << " set " << n;
      if (got.kind == AnswerKind::Sat)
        ASSERT_TRUE(holdsAll(got.model, set)) << "seed " << seed << " set " << n;
      if (n % 30 == 0) { // what is remembered per constraint must not survive its terms
        c.collect([&](auto visit) { visit(conditions.table); });
        reference.dropCaches();
      }
    }
  }
  EXPECT_GT(sat, 40u);
  EXPECT_GT(unsat, 20u);
  EXPECT_LT(passedOn, 40u);
}
INSTANTIATE_TEST_SUITE_P(Bytes, RandomSets, testing::Values(1, 2, 3));
INSTANTIATE_TEST_SUITE_P(SlowBytes, RandomSets, testing::Values(4));

TEST(DomainStageRandom, SlowBuffersAnswerLikeZ3Alone) {
  unsigned sat = 0, unsat = 0, passedOn = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    ExprContext c;
    Rng rng(seed);
    BufferConditions conditions(c, rng);
    DomainStage stage(c, 50'000'000, nullptr, below(passedOn));
    Z3Stage reference(c, {});
    Model witness;
    for (unsigned n = 0; n < 60; ++n) {
      std::vector<ExprPtr> set =
          distinctConditions(2 + rng.below(7), [&] { return conditions.next(); });
      for (unsigned i = 0; i < 200; ++i)
        witness.setByte(conditions.buffer, i, static_cast<uint8_t>(rng.next()));
      Conjunction query{.constraints = set, .deadline = Clock::now() + 20s};
      if (rng.flip()) query.witness = &witness;
      Answer got = stage.solve(query);
      if (got.kind == AnswerKind::Unknown) continue;
      if (got.kind == AnswerKind::Sat) ASSERT_TRUE(holdsAll(got.model, set)) << seed << " " << n;
      Answer want = reference.solve(query);
      ASSERT_NE(want.kind, AnswerKind::Unknown) << want.reason;
      ASSERT_EQ(got.kind, want.kind) << "seed " << seed << " set " << n;
      ++(got.kind == AnswerKind::Sat ? sat : unsat);
    }
  }
  EXPECT_GT(sat, 60u);
  EXPECT_GT(unsat, 30u);
  EXPECT_LT(passedOn, 200u); // most of the bytes of the buffer, in those
}

// --- against brute force
// --------------------------------------------------------------------------------------------

TEST(DomainSearchTest, FindsWhatBruteForceFinds) {
  unsigned sat = 0, unsat = 0;
  DomainSearch search; // one for all: nothing may be left over
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    ExprContext c;
    Rng rng(seed);
    const unsigned n = 1 + rng.below(3);
    RandomConditions conditions(c, rng, n);
    std::vector<SearchByte> bytes;
    for (unsigned i = 0; i < n; ++i) {
      SearchByte b{.symbol = conditions.in, .index = i, .value = static_cast<uint8_t>(rng.next())};
      const unsigned size = 1 + rng.below(n == 1 ? 200 : n == 2 ? 60 : 20);
      while (b.domain.size() < size) b.domain.add(rng.below(256));
      b.isOfGoal = rng.flip();
      bytes.push_back(b);
    }
    std::vector<SearchConstraint> constraints;
    SupportTable supports(c);
    for (unsigned i = 1 + rng.below(4); i > 0; --i) {
      ExprPtr e = conditions.goal();
      uint32_t mask = 0;
      for (Cell cell : supports.of(e)) mask |= uint32_t(1) << cell.index();
      if (!e->isConst()) constraints.push_back({e, mask});
    }
    auto domains = bytes;
    DomainSearch::Result got = search.run(bytes, constraints, ~uint64_t(0));
    bool possible = false;
    Evaluator evaluator;
    uint64_t version = 0;
    Model m;
    auto tryAll = [&](auto &self, unsigned at) -> void {
      if (at < n) {
        domains[at].domain.forEach([&](uint8_t v) {
          m.setByte(conditions.in, at, v);
          if (!possible) self(self, at + 1);
        });
        return;
      }
      evaluator.setModel(m, ++version);
      bool all = true;
      for (const SearchConstraint &k : constraints) all &= evaluator.isTrue(k.term);
      possible |= all;
    };
    tryAll(tryAll, 0);
    ASSERT_EQ(got, possible ? DomainSearch::Result::Sat : DomainSearch::Result::Unsat)
        << "seed " << seed;
    ++(possible ? sat : unsat);
    if (!possible) continue;
    for (unsigned i = 0; i < n; ++i) {
      ASSERT_TRUE(domains[i].domain.has(bytes[i].value)) << "seed " << seed;
      m.setByte(conditions.in, i, bytes[i].value);
    }
    evaluator.setModel(m, ++version);
    for (const SearchConstraint &k : constraints) ASSERT_TRUE(evaluator.isTrue(k.term)) << seed;
  }
  EXPECT_GT(sat, 50u);
  EXPECT_GT(unsat, 50u);
}

TEST(DomainSearchTest, CoversTheWholeProduct) {
  // One solution, in the last corner: 3 * 3 * 200 assignments.
  ExprContext c;
  ExprPtr in = c.symbol("in", 3), sum = c.constant(0, 32);
  std::vector<SearchByte> bytes;
  for (unsigned i = 0; i < 3; ++i) {
    SearchByte b{.symbol = in, .index = i};
    for (unsigned v = i == 1 ? 0 : 197; v < 200; ++v) b.domain.add(v);
    bytes.push_back(b);
    sum = c.add(sum, c.zext(c.read(in, uint64_t(i)), 32));
  }
  DomainSearch search;
  SearchConstraint top{c.eq(sum, c.constant(597, 32)), 7}, above{c.eq(sum, c.constant(598, 32)), 7};
  ASSERT_EQ(search.run(bytes, std::span(&top, 1), ~uint64_t(0)), DomainSearch::Result::Sat);
  for (const SearchByte &b : bytes) EXPECT_EQ(b.value, 199);
  EXPECT_EQ(search.run(bytes, std::span(&above, 1), ~uint64_t(0)), DomainSearch::Result::Unsat);
}

// --- what it answers, and what it does not
// --------------------------------------------------------------------------

TEST_F(DomainStageTest, AnEmptyDomainIsUnsat) {
  EXPECT_EQ(ask({c.ult(byte(0), k(5)), c.ult(k(9), byte(0))}).kind, AnswerKind::Unsat);
  // Also when other constraints are not for this stage.
  ExprPtr wide = c.eq(c.mul(c.zext(byte(1), 136), c.zext(byte(2), 136)), c.zext(byte(3), 136));
  EXPECT_EQ(ask({wide, c.ult(byte(0), k(5)), c.ult(k(9), byte(0))}).kind, AnswerKind::Unsat);
  EXPECT_EQ(passedOn, 0u);
}

TEST_F(DomainStageTest, TheWitnessIsKeptWhereItCanBe) {
  Model witness;
  for (unsigned i = 0; i < 4; ++i) witness.setByte(in, i, static_cast<uint8_t>(100 + i));
  Answer a = ask({c.ult(k(50), byte(0)), c.ult(byte(1), k(10))}, &witness);
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_EQ(a.model.byte(in, 0), 100);
  EXPECT_LT(a.model.byte(in, 1), 10);
  a = ask({c.ult(byte(2), byte(3)), c.eq(c.bvXor(byte(0), byte(3)), k(7))}, &witness);
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_EQ(a.model.byte(in, 0) ^ a.model.byte(in, 3), 7);
  EXPECT_LT(a.model.byte(in, 2), a.model.byte(in, 3));
  EXPECT_EQ(ask({c.ult(byte(2), byte(3))}, nullptr, /*needModel=*/false).kind, AnswerKind::Sat);
}

TEST_F(DomainStageTest, ReadsOfBytesByIndex) {
  ExprPtr index = c.zext(c.bvAnd(byte(0), k(1)), 64);
  ExprPtr chosen = c.read(in, index);
  std::vector<ExprPtr> set = {c.eq(chosen, k(77)), c.eq(c.bvAnd(byte(0), k(1)), k(1))};
  Answer a = ask(set);
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_TRUE(holdsAll(a.model, set));
  EXPECT_EQ(a.model.byte(in, 1), 77);
  set.push_back(c.ult(byte(1), k(50)));
  EXPECT_EQ(ask(set).kind, AnswerKind::Unsat);
  // Behind stores.
  ExprPtr stored = c.store(c.store(in, index, k(9)), c.zext(byte(5), 64), byte(6));
  set = {c.eq(c.read(stored, uint64_t(2)), k(123)), c.ult(byte(2), k(10)), c.ult(byte(6), k(124)),
         c.eq(byte(0), k(1))};
  a = ask(set);
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_TRUE(holdsAll(a.model, set));
  EXPECT_EQ(a.model.byte(in, 5), 2);
  set.push_back(c.ult(byte(6), k(123)));
  EXPECT_EQ(ask(set).kind, AnswerKind::Unsat);
  EXPECT_EQ(passedOn, 0u);
}

TEST_F(DomainStageTest, OnlyBytesInReachUnderTheDomainsCount) {
  // A pad of which two bytes can be meant, in an array of thousands.
  ExprPtr large = c.symbol("large", 5000), at = c.zext(c.mul(c.zext(byte(0), 16), k(16, 16)), 64);
  ExprPtr value = c.read(c.store(large, c.zext(byte(1), 64), k(32)), at);
  std::vector<ExprPtr> set = {c.ult(byte(0), k(58)), c.ult(k(55), byte(0)), c.eq(byte(1), k(7)),
                              c.eq(value, k(33))};
  Answer a = ask(set);
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_TRUE(holdsAll(a.model, set));
  set.push_back(c.ult(c.read(large, uint64_t(56 * 16)), k(33)));
  set.push_back(c.ult(k(33), c.read(large, uint64_t(57 * 16))));
  EXPECT_EQ(ask(set).kind, AnswerKind::Unsat);
  EXPECT_EQ(passedOn, 0u);
}

TEST_F(DomainStageTest, UninitialisedBytesAreBytes) {
  ExprPtr a = c.uninitByte(0), b = c.uninitByte(1);
  EXPECT_EQ(ask({c.ult(a, b), c.ult(b, a)}).kind, AnswerKind::Unsat);
  EXPECT_EQ(ask({c.ult(a, b), c.ult(b, byte(0))}).kind, AnswerKind::Sat);
}

TEST_F(DomainStageTest, WhatIsTooLargeIsPassedOn) {
  auto isPassedOn = [&](const std::vector<ExprPtr> &set) {
    unsigned before = passedOn;
    return ask(set).kind == AnswerKind::Unknown && passedOn == before + 1;
  };
  // Wider than 128 bits.
  EXPECT_TRUE(
      isPassedOn({c.eq(c.mul(c.zext(byte(0), 136), c.zext(byte(1), 136)), c.zext(byte(2), 136))}));
  // More bytes than it looks at.
  ExprPtr sum = byte(0);
  for (unsigned i = 1; i < 50; ++i) sum = c.bvXor(sum, byte(i));
  EXPECT_TRUE(isPassedOn({c.eq(sum, k(3))}));
  // No solution among 2^40 assignments.
  ExprPtr word = c.zext(byte(0), 64);
  for (unsigned i = 1; i < 5; ++i) word = c.mul(word, c.zext(byte(i), 64));
  EXPECT_TRUE(isPassedOn({c.eq(word, k(1000003, 64))}));
  // The same over two bytes is decided, and with next to no budget it is not.
  ExprPtr pair = c.eq(c.mul(c.zext(byte(0), 32), c.zext(byte(1), 32)), k(65003, 32));
  EXPECT_EQ(ask({pair}).kind, AnswerKind::Unsat);
  stage = make(0);
  EXPECT_TRUE(isPassedOn({pair}));
}

// A search that would take hours, if only the budget ended it.
struct DomainStageLimits : DomainStageTest {
  DomainStageLimits() {
    ExprPtr word = c.zext(byte(0), 64);
    for (unsigned i = 1; i < 6; ++i) word = c.mul(word, c.zext(byte(i), 64));
    set = {c.eq(word, k(1000003, 64))};
    isolation.running = &running;
    constexpr uint64_t kHours = uint64_t(1) << 50;
    stage = std::make_unique<DomainStage>(c, kHours, nullptr, below(passedOn), &stop, &isolation);
  }
  double secondsOf(Clock::duration limit) {
    const Clock::time_point start = Clock::now();
    EXPECT_EQ(stage->solve({.constraints = set, .deadline = start + limit}).reason, "passed on");
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  std::vector<ExprPtr> set;
  std::atomic<bool> stop{false};
  RunningQuery running;
  Isolation isolation;
};

TEST_F(DomainStageLimits, DeadlineHolds) {
  const double took = secondsOf(200ms);
  EXPECT_GT(took, 0.19);
  EXPECT_LT(took, 2); // on a busy machine
}

TEST_F(DomainStageLimits, AnInterruptEndsIt) {
  std::thread user([&] {
    std::this_thread::sleep_for(200ms);
    stop = true;
  });
  EXPECT_LT(secondsOf(60s), 3);
  user.join();
}

TEST_F(DomainStageLimits, WhoWatchesSeesTheQuery) {
  const uint64_t hash = hashOf({.constraints = set, .deadline = {}});
  std::atomic<bool> done{false}, seen{false};
  std::thread watcher([&] {
    while (!done) {
      if (running.hash == hash) seen = true;
      std::this_thread::sleep_for(1ms);
    }
  });
  secondsOf(300ms);
  done = true;
  watcher.join();
  EXPECT_TRUE(seen);
  EXPECT_EQ(running.hash, 0u);
}

TEST_F(DomainStageLimits, IsolatedQueriesArePassedOn) {
  isolation.isolated = {hashOf({.constraints = set, .deadline = {}})};
  EXPECT_LT(secondsOf(60s), 3);
}

} // namespace
