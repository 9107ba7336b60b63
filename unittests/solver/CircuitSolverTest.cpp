// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Circuits and the SAT solver on them: every operation against evaluation, sets of constraints
// against Z3, contradicting parts, and what is left to others.
#include "RandomTerms.h"
#include "SolverTestUtil.h"

#include "solver/CircuitSolver.h"
#include "solver/Z3Stage.h"

#include "support/ProcFile.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;
using namespace std::chrono_literals;

namespace {

constexpr CircuitSolver::Effort kAny{.newGates = ~uint64_t(0), .conflicts = 1'000'000};
constexpr uint64_t kMemory = uint64_t(512) << 20;

Answer askCircuit(CircuitSolver &solver, std::span<const ExprPtr> set,
                  CircuitSolver::Effort effort = kAny, Clock::duration time = 60s) {
  return solver.solve({.constraints = set, .deadline = Clock::now() + time}, effort);
}

/// Asserts that under the model, the term has the value that evaluation gives it, and no other.
void expectValue(CircuitSolver &solver, ExprContext &c, std::vector<ExprPtr> fixed,
                 Evaluator &evaluator, ExprPtr e) {
  for (unsigned at = 0; at < e->width(); at += 64) {
    ExprPtr part = e->width() > 64 ? c.extract(e, at, std::min(64u, e->width() - at)) : e;
    ExprPtr same = c.eq(part, c.constant(evaluator.eval(part), part->width()));
    fixed.push_back(same);
    EXPECT_EQ(askCircuit(solver, fixed).kind, AnswerKind::Sat) << toString(same);
    fixed.back() = c.bvNot(same);
    EXPECT_EQ(askCircuit(solver, fixed).kind, AnswerKind::Unsat) << toString(same);
    fixed.pop_back();
  }
}

TEST(CircuitSolver, SlowEveryOperationHasItsValue) {
  ExprOptions raw;
  raw.simplify = false;
  ExprContext c(raw);
  Rng rng(7);
  ExprPtr in = c.symbol("in", 32);
  auto word = [&](uint64_t at, unsigned width) {
    ExprPtr e = c.read(in, at);
    for (unsigned i = 1; i * 8 < width; ++i) e = c.concat(c.read(in, at + i), e);
    return e->width() == width ? e : c.extract(e, 0, width);
  };
  using enum Kind;
  for (unsigned width : {1u, 3u, 8u, 32u, 64u, 128u}) {
    ExprPtr a = word(0, width), b = word(16, width);
    std::vector<ExprPtr> terms;
    for (Kind kind : {And, Or, Xor, Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, Eq, Ult,
                      Ule, Slt, Sle})
      terms.push_back(c.binary(kind, a, b));
    for (uint64_t k : {0, 1, 3, 5, 10, 119, 200}) { // circuits with constant wires are others
      const uint64_t words[2] = {k, k};
      ExprPtr constant = width > 64 ? c.constantWide(words, width) : c.constant(k, width);
      for (Kind kind : {Add, Sub, Mul, UDiv, URem, SDiv, Shl, LShr, Ult})
        terms.push_back(c.binary(kind, a, constant));
      terms.push_back(c.binary(UDiv, constant, b));
    }
    if (width < 64) { // short dividends in wide words
      terms.push_back(c.udiv(c.zext(a, 64), c.constant(10, 64)));
      terms.push_back(c.urem(c.zext(a, 64), c.zext(b, 64)));
    }
    terms.push_back(c.ite(c.ult(a, b), c.bvNot(a), b));
    for (unsigned round = 0; round < 12; ++round) {
      CircuitSolver solver(c, kMemory, nullptr, nullptr);
      Model model;
      std::vector<ExprPtr> fixed;
      for (uint64_t i = 0; i < 32; ++i) { // zeros, ones, small numbers, anything
        const unsigned mode = i < 16 ? round % 4 : round / 3;
        const auto any = static_cast<uint8_t>(rng.next());
        const uint8_t value = mode == 0   ? 0
                              : mode == 1 ? 0xff
                              : mode == 2 ? (i % 16 ? 0 : any % 16)
                                          : any;
        model.setByte(in, i, value);
        fixed.push_back(c.eq(c.read(in, i), c.constant(value, 8)));
      }
      Evaluator evaluator;
      evaluator.setModel(model, round + 1);
      for (ExprPtr e : terms) expectValue(solver, c, fixed, evaluator, e);
      if (HasFailure()) return;
    }
  }
}

TEST(CircuitSolver, RandomTermsHaveTheirValues) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    ExprOptions options;
    options.simplify = seed % 2;
    ExprContext c(options);
    Rng rng(seed);
    expr::test::RandomTerms terms(c, rng, /*wide=*/true);
    CircuitSolver solver(c, kMemory, nullptr, nullptr);
    for (unsigned n = 0; n < 25; ++n) {
      Model model;
      std::vector<ExprPtr> fixed;
      for (uint64_t i = 0; i < 8; ++i) {
        const auto value = static_cast<uint8_t>(rng.flip() ? rng.next() : rng.below(3));
        model.setByte(terms.input, i, value);
        fixed.push_back(c.eq(c.read(terms.input, i), c.constant(value, 8)));
      }
      Evaluator evaluator;
      evaluator.setModel(model, n + 1);
      expectValue(solver, c, fixed, evaluator, terms.grow(n % 2 ? 32 : 1));
      ASSERT_FALSE(HasFailure()) << "seed " << seed << " term " << n;
    }
  }
}

/// Random sets, alike by Z3 and by the solver; unsatisfiable ones with a part that is
/// unsatisfiable.
template <typename Conditions>
void compareWithZ3(ExprContext &c, Rng &rng, Conditions &conditions) {
  CircuitSolver solver(c, kMemory, nullptr, nullptr);
  Z3Stage reference(c, {});
  unsigned sat = 0, unsat = 0;
  for (unsigned n = 0; n < 150; ++n) {
    std::vector<ExprPtr> set =
        distinctConditions(1 + rng.below(6), [&] { return conditions.next(); });
    const Answer got = askCircuit(solver, set);
    const Answer want = reference.solve({.constraints = set, .deadline = Clock::now() + 60s});
    ASSERT_EQ(got.kind, want.kind) << "set " << n << " " << want.reason;
    if (got.kind == AnswerKind::Sat) {
      ++sat;
      EXPECT_TRUE(holdsAll(got.model, set)) << "set " << n;
    } else {
      ++unsat;
      EXPECT_FALSE(got.core.empty());
      for (ExprPtr e : got.core) EXPECT_NE(std::find(set.begin(), set.end(), e), set.end());
      EXPECT_EQ(reference.solve({.constraints = got.core, .deadline = Clock::now() + 60s}).kind,
                AnswerKind::Unsat)
          << "set " << n;
    }
    if (n % 40 == 39) { // circuits must not survive their terms
      conditions.collect();
      reference.dropCaches();
    }
  }
  EXPECT_GT(sat, 20u);
  EXPECT_GT(unsat, 5u);
}

TEST(CircuitSolver, TextAndWordsLikeZ3) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    ExprContext c;
    Rng rng(seed);
    struct : RandomConditions {
      using RandomConditions::RandomConditions;
      void collect() {
        c.collect([&](auto visit) { visit(table); });
      }
    } conditions(c, rng, seed % 2 ? 3 : 12);
    compareWithZ3(c, rng, conditions);
  }
}

TEST(CircuitSolver, BuffersLikeZ3) {
  ExprContext c;
  Rng rng(5);
  struct : BufferConditions {
    using BufferConditions::BufferConditions;
    void collect() {
      c.collect([&](auto) {});
    }
  } conditions(c, rng);
  compareWithZ3(c, rng, conditions);
}

struct CircuitSolverLimits : testing::Test {
  ExprContext c;
  ExprPtr in = c.symbol("in", 32);
  CircuitSolver solver{c, kMemory, nullptr, nullptr};
};

TEST_F(CircuitSolverLimits, CoreLeavesOutWhatDoesNotMatter) {
  ExprPtr a = c.read(in, uint64_t(0)), b = c.read(in, uint64_t(1)), d = c.read(in, uint64_t(2));
  std::vector<ExprPtr> set{c.ult(d, c.constant(9, 8)), c.ult(a, b), c.ult(c.constant(3, 8), d),
                           c.ult(b, a)};
  const Answer answer = askCircuit(solver, set);
  ASSERT_EQ(answer.kind, AnswerKind::Unsat);
  EXPECT_EQ(answer.core, (std::vector<ExprPtr>{set[1], set[3]}));
}

TEST_F(CircuitSolverLimits, FloatsAndVeryLargeArraysAreLeftToOthers) {
  ExprPtr a = c.concat(c.read(in, uint64_t(1)), c.read(in, uint64_t(0)));
  std::vector<ExprPtr> floats{c.binary(Kind::FLt, c.binary(Kind::FAdd, a, a), a)};
  EXPECT_EQ(askCircuit(solver, floats).kind, AnswerKind::Unknown);
  ExprPtr large = c.symbol("large", 70000);
  std::vector<ExprPtr> wide{c.eq(c.read(large, c.zext(a, 64)), c.constant(3, 8))};
  EXPECT_EQ(askCircuit(solver, wide).kind, AnswerKind::Unknown);
  std::vector<ExprPtr> fine{c.eq(a, c.constant(3, 16))};
  EXPECT_EQ(askCircuit(solver, fine).kind, AnswerKind::Sat);
  EXPECT_EQ(solver.stats().passedOn, 2u);
}

TEST_F(CircuitSolverLimits, EffortsHold) {
  std::vector<ExprPtr> hard{factoring(c, in, kSemiprime)};
  EXPECT_EQ(askCircuit(solver, hard, {.newGates = 1000, .conflicts = 1000}).kind,
            AnswerKind::Unknown);
  EXPECT_EQ(askCircuit(solver, hard, {.newGates = ~uint64_t(0), .conflicts = 50}).kind,
            AnswerKind::Unknown);
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(askCircuit(solver, hard, kAny, 300ms).kind, AnswerKind::Unknown);
  EXPECT_LT(Clock::now() - start, 3s); // loosely: machines are busy
  const std::atomic<bool> stop = true;
  CircuitSolver stopped(c, kMemory, &stop, nullptr);
  EXPECT_EQ(askCircuit(stopped, hard).kind, AnswerKind::Unknown);
  std::vector<ExprPtr> easy{c.eq(c.read(in, uint64_t(0)), c.constant(7, 8))};
  EXPECT_EQ(askCircuit(solver, easy).kind, AnswerKind::Sat); // as good as new
}

// Making clauses would take a hundred times the time that it has.
TEST_F(CircuitSolverLimits, AShortAttemptMakesNoLargeCircuit) {
  auto word = [&](uint64_t at) {
    ExprPtr e = c.read(in, at);
    for (uint64_t i = 1; i < 8; ++i) e = c.concat(c.read(in, at + i), e);
    return e;
  };
  ExprPtr product = word(0);
  for (int i = 0; i < 64; ++i)
    product = c.binary(Kind::Mul, c.binary(Kind::Add, product, word(8)), word(16));
  const std::vector<ExprPtr> large = {c.eq(product, c.constant(0, 64))};
  const std::vector<ExprPtr> small = {c.ult(c.read(in, uint64_t(0)), c.read(in, uint64_t(8)))};
  auto attempt = [&](const std::vector<ExprPtr> &set, Clock::duration time) {
    const Clock::time_point end = Clock::now() + time;
    return solver.solve({.constraints = set, .deadline = end, .asksAgain = true}, kAny).kind;
  };
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(attempt(large, 5ms), AnswerKind::Unknown);
  EXPECT_LT(Clock::now() - start, 300ms);
  EXPECT_EQ(attempt(small, 10s), AnswerKind::Sat);
}

TEST_F(CircuitSolverLimits, IsolatedQueriesAreLeftToOthers) {
  const std::vector<ExprPtr> set{c.eq(c.read(in, uint64_t(0)), c.constant(7, 8))};
  Isolation isolation;
  CircuitSolver isolated(c, kMemory, nullptr, &isolation);
  EXPECT_EQ(askCircuit(isolated, set).kind, AnswerKind::Sat);
  isolation.isolated = {hashOf({.constraints = set, .deadline = {}})};
  EXPECT_EQ(askCircuit(isolated, set).kind, AnswerKind::Unknown);
  isolation.isolated.clear();
  isolation.all = true;
  EXPECT_EQ(askCircuit(isolated, set).kind, AnswerKind::Unknown);
  EXPECT_EQ(isolated.stats().passedOn, 2u);
}

/// Products of unknown words, which share nothing: each about 8,200 gates.
std::vector<ExprPtr> products(ExprContext &c, unsigned count) {
  ExprPtr in = c.symbol("factors", 16384);
  std::vector<ExprPtr> set;
  auto word = [&](uint64_t at) {
    ExprPtr e = c.read(in, at);
    for (uint64_t i = 1; i < 8; ++i) e = c.concat(c.read(in, at + i), e);
    return e;
  };
  for (uint64_t i = 0; i < count; ++i)
    set.push_back(c.eq(c.mul(word(i * 16), word(i * 16 + 8)), c.constant(i * 1000003 + 1, 64)));
  return set;
}

TEST(CircuitSolverMemory, StaysWithinIts) {
  ExprContext c;
  constexpr uint64_t kMb = 1 << 20, kBudget = 96 * kMb;
  const std::vector<ExprPtr> set = products(c, 64);
  CircuitSolver solver(c, kBudget, nullptr, nullptr);
  const uint64_t before = procBytes("/proc/self/status", "VmRSS");
  unsigned solved = 0;
  while (solved < set.size() &&
         askCircuit(solver, std::span(set).first(solved + 1)).kind == AnswerKind::Sat)
    ++solved;
  // What is not passed on uses most of the budget, and no more than it.
  EXPECT_GE(solved, 6u);
  EXPECT_LE(solved, 12u);
  EXPECT_LT(procBytes("/proc/self/status", "VmRSS"), before + kBudget);
  // The circuit alone would not fit either.
  CircuitSolver small(c, kMb, nullptr, nullptr);
  EXPECT_EQ(askCircuit(small, set).kind, AnswerKind::Unknown);
  EXPECT_LT(procBytes("/proc/self/status", "VmRSS"), before + kBudget + 8 * kMb);
}

TEST(CircuitSolverMemory, OtherQueriesMakeRoom) {
  ExprContext c;
  // Room for the circuits of about ten products, in the solver for one.
  CircuitSolver solver(c, 20 << 20, nullptr, nullptr);
  const std::vector<ExprPtr> set = products(c, 64);
  for (ExprPtr e : set)
    EXPECT_EQ(askCircuit(solver, std::span(&e, 1)).kind, AnswerKind::Sat) << toString(e);
  EXPECT_EQ(askCircuit(solver, std::span(set).first(4)).kind, AnswerKind::Unknown);
  EXPECT_EQ(askCircuit(solver, std::span(set).first(1)).kind, AnswerKind::Sat);
}

} // namespace
