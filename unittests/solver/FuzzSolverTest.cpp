// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branch distances are 0 exactly where a constraint holds; the fuzz solver finds models, of
// constraints with external operations too, is the same in every run, and never invents one.
#include "expr/FloatBuilders.h"
#include "HostOperation.h"
#include "RandomFloats.h"
#include "RandomTerms.h"
#include "SolverTestUtil.h"

#include "solver/BranchDistance.h"
#include "solver/JitFuzzSolver.h"
#include "solver/UnsatPredictor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;
using fathom::expr::test::Host;

namespace {

class Distances : public testing::TestWithParam<uint64_t> {};

TEST_P(Distances, AreZeroExactlyWhereTheConstraintHolds) {
  for (unsigned round = 0; round < 10; ++round) {
    Rng rng(GetParam() * 100 + round);
    ExprContext c({.simplify = round % 2 == 0});
    expr::test::RandomTerms terms(c, rng, /*wide=*/true);
    for (unsigned n = 0; n < 150; ++n) terms.grow(terms.someWidth());
    for (unsigned n = 0; n < 60; ++n) {
      ExprPtr e = terms.grow(1), d = branchDistance(c, e);
      Evaluator evaluator;
      for (unsigned m = 1; m <= 60; ++m) {
        Model model = expr::test::randomModel(terms.input, rng);
        evaluator.setModel(model, m);
        ASSERT_EQ(evaluator.eval(d) == 0, evaluator.isTrue(e)) << toString(e);
      }
    }
  }
}

TEST_P(Distances, OfFloatsToo) {
  Rng rng(GetParam());
  ExprContext c;
  expr::test::RandomFloats terms(c, rng);
  for (unsigned n = 0; n < 400; ++n) {
    ExprPtr e = terms.grow(1);
    ExprPtr d = branchDistance(c, e);
    Evaluator evaluator;
    for (unsigned m = 1; m <= 60; ++m) {
      Model model;
      for (uint64_t at : {uint64_t(0), uint64_t(8)}) {
        const uint64_t bits = expr::test::somePattern(terms.floatWidth(), rng);
        for (unsigned i = 0; i < 8; ++i)
          model.setByte(terms.input, at + i, static_cast<uint8_t>(bits >> 8 * i));
      }
      evaluator.setModel(model, m);
      ASSERT_EQ(evaluator.eval(d) == 0, evaluator.isTrue(e)) << toString(e);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, Distances, testing::Values(1, 2, 3));

TEST(BranchDistance, SaysHowFar) {
  ExprContext c({.simplify = false});
  ExprPtr in = c.symbol("in", 4);
  ExprPtr word = c.zext(c.read(in, uint64_t(0)), 32);
  Evaluator evaluator;
  Model m;
  m.setByte(in, 0, 100);
  evaluator.setModel(m, 1);
  auto distance = [&](ExprPtr e) { return evaluator.eval(branchDistance(c, e)); };
  auto k = [&](uint64_t v) { return c.constant(v, 32); };
  ExprPtr sum = c.add(c.mul(word, k(3)), k(1)); // 301
  EXPECT_EQ(distance(c.eq(sum, k(310))), 9u);
  EXPECT_EQ(distance(c.ult(sum, k(300))), 2u);
  EXPECT_EQ(distance(c.ule(sum, k(300))), 1u);
  EXPECT_EQ(distance(c.bvNot(c.eq(sum, k(301)))), 1u);
  EXPECT_EQ(distance(c.bvAnd(c.ult(sum, k(300)), c.eq(sum, k(310)))), 11u);
  EXPECT_EQ(distance(c.bvOr(c.ult(sum, k(300)), c.eq(sum, k(310)))), 2u);
}

// --- the search
// -------------------------------------------------------------------------------------------------

struct FuzzFixture {
  ExprContext c;
  ExprPtr byte(ExprPtr in, uint64_t i) { return c.read(in, i); }
  ExprPtr word(ExprPtr array, uint64_t from, unsigned bytes) {
    ExprPtr e = c.read(array, from);
    for (uint64_t i = 1; i < bytes; ++i) e = c.concat(c.read(array, from + i), e);
    return e;
  }
  ExprPtr k(uint64_t v, unsigned w) { return c.constant(v, w); }
  ExprPtr inputOf(std::span<const ExprPtr> bytes) {
    ExprPtr array = c.constArray(std::vector<uint8_t>(bytes.size(), 0));
    for (size_t i = 0; i < bytes.size(); ++i) array = c.store(array, k(i, 64), bytes[i]);
    return array;
  }
  /// strcmp(in, text): the result's sign, as a 32-bit word.
  ExprPtr compared(ExprPtr in, unsigned size, std::string_view text) {
    std::vector<ExprPtr> bytes;
    for (unsigned i = 0; i < size; ++i) bytes.push_back(byte(in, i));
    bytes.push_back(k(0, 8));
    for (char ch : text) bytes.push_back(k(static_cast<uint8_t>(ch), 8));
    bytes.push_back(k(0, 8));
    auto strcmp =
        std::make_shared<Host>("strcmp/" + std::to_string(size) + std::string(text), bytes.size(),
                               5, [size](std::span<const uint8_t> in, std::span<uint8_t> out) {
                                 const char *text = reinterpret_cast<const char *>(in.data());
                                 const int r = std::strcmp(text, text + size + 1);
                                 std::memcpy(&out[1], &r, 4);
                               });
    return word(c.apply(strcmp, inputOf(bytes)), 1, 4);
  }
  Answer solve(std::vector<ExprPtr> constraints, uint64_t evaluations = 300'000,
               uint64_t seed = 1) {
    auto solver = makeJitFuzzSolver(c, {.seed = seed});
    Answer a = solver->solve(constraints, {},
                             {.evaluations = evaluations, .time = std::chrono::seconds(60)});
    stats = solver->stats();
    EXPECT_EQ(stats.rejected, 0u);
    if (a.kind == AnswerKind::Sat) EXPECT_TRUE(holdsAll(a.model, constraints));
    return a;
  }
  FuzzStats stats;
};

TEST(FuzzSolver, ComparesStringsThatOnlyExecutionKnows) {
  FuzzFixture f;
  ExprPtr arg = f.c.symbol("arg", 12);
  Answer a = f.solve({f.c.eq(f.byte(arg, 0), f.k('-', 8)),
                      f.c.eq(f.compared(arg, 12, "--separator"), f.k(0, 32))});
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_LT(f.stats.evaluations, 20'000u);
}

/// The chain of Fig. 1 of [colossus]: a1 >= -10, a2 = 3 a1, a3 = ceil(a2), a4 = 3 + a3, a4^3 = 216.
TEST(FuzzSolver, ChainsOfOperations) {
  FuzzFixture f;
  ExprPtr in = f.c.symbol("x", 8);
  auto real = [&](const char *name, auto function) {
    return std::make_shared<Host>(name, 8, 9,
                                  [function](std::span<const uint8_t> in, std::span<uint8_t> out) {
                                    double x;
                                    std::memcpy(&x, in.data(), 8);
                                    x = function(x);
                                    std::memcpy(&out[1], &x, 8);
                                  });
  };
  auto apply = [&](const char *name, auto function, ExprPtr x) {
    std::vector<ExprPtr> bytes;
    for (unsigned i = 0; i < 8; ++i) bytes.push_back(f.c.extract(x, 8 * i, 8));
    return f.word(f.c.apply(real(name, function), f.inputOf(bytes)), 1, 8);
  };
  auto number = [&](double v) { return f.k(std::bit_cast<uint64_t>(v), 64); };
  ExprPtr a1 = f.word(in, 0, 8);
  ExprPtr a3 = apply("ceil", [](double x) { return std::ceil(x); }, fmul(f.c, a1, number(3)));
  ExprPtr a5 = apply("cube", [](double x) { return std::pow(x, 3); }, fadd(f.c, a3, number(3)));
  Answer a = f.solve(
      {fle(f.c, number(-10), a1), fle(f.c, number(0), a3), feq(f.c, a5, number(216))}, 2'000'000);
  ASSERT_EQ(a.kind, AnswerKind::Sat);
}

TEST(FuzzSolver, ArithmeticThatHasNoInverse) {
  FuzzFixture f;
  ExprPtr in = f.c.symbol("in", 8), x = f.word(in, 0, 4), y = f.word(in, 4, 4);
  // x * y == 1234567890 over the integers, both above 1000
  ExprPtr product = f.c.mul(f.c.zext(x, 64), f.c.zext(y, 64));
  Answer a = f.solve({f.c.ult(f.k(1000, 32), x), f.c.ult(f.k(1000, 32), y),
                      f.c.ult(product, f.k(1234567990, 64)), f.c.ult(f.k(1234567890, 64), product)},
                     2'000'000);
  EXPECT_EQ(a.kind, AnswerKind::Sat);
}

/// No distance leads to the one pair that a scrambling function sends to 0; but two bytes have few
/// values, and four of which two are all but known have no more.
TEST(FuzzSolver, WhatIsLeftIsEnumeratedWhereItIsLittle) {
  for (bool isThere : {true, false}) {
    FuzzFixture f;
    ExprPtr in = f.c.symbol("in", 4);
    auto scramble = std::make_shared<Host>(
        "scramble", 4, 5, [isThere](std::span<const uint8_t> in, std::span<uint8_t> out) {
          uint32_t x;
          std::memcpy(&x, in.data(), 4);
          const bool isSecret = isThere && x == 0x61b7622f;
          x = isSecret ? 0 : (x * 2654435761u ^ x >> 7) | 1;
          std::memcpy(&out[1], &x, 4);
        });
    std::vector<ExprPtr> bytes;
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(f.byte(in, i));
    ExprPtr applied = f.c.apply(scramble, f.inputOf(bytes));
    Answer a = f.solve({f.c.eq(f.byte(in, 3), f.k('a', 8)), f.c.eq(f.byte(in, 1), f.k('b', 8)),
                        f.c.eq(f.word(applied, 1, 4), f.k(0, 32))},
                       2'000'000);
    EXPECT_EQ(a.kind, isThere ? AnswerKind::Sat : AnswerKind::Unknown);
    EXPECT_LT(f.stats.evaluations, 75'000u) << "65536, and some before";
  }
}

/// Executing all pairs of bytes proves something about a function of them, if each of them was.
TEST(FuzzSolver, WhatIsLeftIsRefutedWhereTheOperationIsPure) {
  enum Case { Pure, Unknown, Fails, TooMany };
  for (Case which : {Pure, Unknown, Fails, TooMany}) {
    FuzzFixture f;
    ExprPtr in = f.c.symbol("in", 3);
    auto sum = std::make_shared<Host>(
        "sum", 3, 5, [&](std::span<const uint8_t> in, std::span<uint8_t> out) {
          const uint32_t x = in[0] * in[0] + in[1] * in[1] + 4 * in[2];
          out[0] = which == Fails && in[0] == 77;
          std::memcpy(&out[1], &x, 4);
        });
    sum->pure = which != Unknown;
    ExprPtr bytes[] = {f.byte(in, 0), f.byte(in, 1), f.byte(in, 2)};
    ExprPtr applied = f.c.apply(sum, f.inputOf(bytes));
    std::vector<ExprPtr> constraints{f.c.eq(f.word(applied, 1, 4), f.k(30003, 32))};
    if (which != TooMany) constraints.push_back(f.c.eq(f.byte(in, 2), f.k('a', 8)));
    Answer a = f.solve(constraints);
    EXPECT_EQ(a.kind, which == Pure ? AnswerKind::Unsat : AnswerKind::Unknown) << which;
    EXPECT_EQ(f.stats.refuted, which == Pure ? 1u : 0u);
    EXPECT_EQ(f.stats.candidates, which == Pure ? 65'536u : 0u);
  }
}

TEST(FuzzSolver, TheSameInEveryRun) {
  for (uint64_t seed : {1, 2, 3}) {
    std::vector<std::pair<bool, uint64_t>> runs;
    Model models[2];
    for (Model &model : models) {
      FuzzFixture f;
      ExprPtr in = f.c.symbol("in", 8), x = f.word(in, 0, 4), y = f.word(in, 4, 4);
      ExprPtr sum = f.c.add(f.c.mul(x, x), f.c.mul(y, y));
      Answer a = f.solve({f.c.eq(f.c.urem(sum, f.k(65537, 32)), f.k(4711, 32)),
                          f.c.ult(f.c.bvXor(x, y), f.k(5000, 32))},
                         2'000'000, seed);
      runs.push_back({a.kind == AnswerKind::Sat, f.stats.evaluations});
      for (uint64_t i = 0; i < 8; ++i) model.setByte(in, i, a.model.byte(in, i));
      EXPECT_EQ(a.kind, AnswerKind::Sat);
    }
    EXPECT_EQ(runs[0], runs[1]);
  }
}

TEST(FuzzSolver, NothingIsInvented) {
  FuzzFixture f;
  ExprPtr arg = f.c.symbol("arg", 4);
  ExprPtr r = f.compared(arg, 4, "longer");
  Answer a = f.solve({f.c.eq(r, f.k(0, 32))}, 20'000);
  EXPECT_EQ(a.kind, AnswerKind::Unknown);
  EXPECT_EQ(a.reason, "fuzz: not found");
  EXPECT_GE(f.stats.evaluations, 20'000u);
  // A failed execution is not a model, whatever else the operation gives.
  ExprPtr byte[] = {f.byte(arg, 0)};
  auto fails =
      std::make_shared<Host>("fails", 1, 2, [](std::span<const uint8_t>, std::span<uint8_t> out) {
        out[0] = 1;
        out[1] = 7;
      });
  ExprPtr applied = f.c.apply(fails, f.inputOf(byte));
  a = f.solve({f.c.eq(f.c.read(applied, uint64_t(0)), f.k(0, 8)),
               f.c.eq(f.c.read(applied, uint64_t(1)), f.k(7, 8))},
              20'000);
  EXPECT_EQ(a.kind, AnswerKind::Unknown);
  EXPECT_LE(fails->calls, 256u + 200u) << "each input once, apart from single evaluations";
}

TEST(UnsatPredictor, TwoFailuresAndAProbe) {
  UnsatPredictor p(/*probe=*/3);
  EXPECT_TRUE(p.shouldRun(7));
  p.record(7, false);
  EXPECT_TRUE(p.shouldRun(7)) << "weakly sat";
  EXPECT_TRUE(p.isDoubtful(7));
  EXPECT_FALSE(p.isDoubtful(8)) << "another branch";
  p.record(7, false);
  EXPECT_FALSE(p.shouldRun(7));
  EXPECT_TRUE(p.shouldRun(8)) << "another branch";
  EXPECT_FALSE(p.shouldRun(7));
  EXPECT_TRUE(p.shouldRun(7)) << "the probe";
  p.record(7, false);
  EXPECT_FALSE(p.shouldRun(7));
  EXPECT_FALSE(p.shouldRun(7));
  EXPECT_TRUE(p.shouldRun(7));
  p.record(7, true); // strongly unsat -> weakly sat at once
  EXPECT_TRUE(p.shouldRun(7));
  EXPECT_EQ(p.stats().skipped, 4u);
  EXPECT_EQ(p.stats().probes, 2u);
  EXPECT_EQ(p.stats().wrongUnsat, 1u);
  EXPECT_EQ(p.stats().wrongSat, 2u);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(p.shouldRun(~0u)) << "no branch, no prediction";
}

/// What can be enumerated: the fuzz solver finds a model where there is one, mostly.
TEST(FuzzSolver, FindsMostOfWhatThereIs) {
  unsigned sat = 0, found = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Rng rng(seed);
    FuzzFixture f;
    RandomConditions conditions(f.c, rng, 6);
    auto chain = makeChain(f.c, {});
    PathCondition path;
    std::vector<ExprPtr> constraints;
    for (unsigned n = 0; n < 8; ++n) {
      constraints.push_back(conditions.goal());
      if (n) path.add(constraints.back());
    }
    const bool isSat = chain->check({.path = path, .goal = constraints[0]}).kind == AnswerKind::Sat;
    Answer a = f.solve(constraints, 30'000);
    sat += isSat;
    found += a.kind == AnswerKind::Sat;
    EXPECT_NE(a.kind, isSat ? AnswerKind::Unsat : AnswerKind::Sat);
  }
  EXPECT_GE(sat, 10u);
  EXPECT_GE(found * 10, sat * 9) << found << " of " << sat;
}

} // namespace
