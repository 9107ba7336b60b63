// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries with applications of external operations: whatever stages there are, Sat comes with
// inputs on which the operations really give that, and Unsat means that no results at all would do,
// or that all inputs were tried.
#include "SolverTestUtil.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;

namespace {

/// The sum of its input bytes times 7, in a byte.
class Scramble final : public expr::ExternalOperation {
public:
  explicit Scramble(uint64_t bytes)
      : ExternalOperation("scramble/" + std::to_string(bytes), bytes, 2) {}
  void apply(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    out[0] = 0;
    out[1] = 0;
    for (uint8_t b : in) out[1] = static_cast<uint8_t>(out[1] + b * 7);
  }
};

struct OperationFixture {
  ExprContext c;
  ExprPtr in = c.symbol("in", 4);
  ExprPtr byte(uint64_t i) { return c.read(in, i); }
  ExprPtr scramble(uint64_t first, uint64_t count) {
    ExprPtr array = c.constArray(std::vector<uint8_t>(count, 0));
    for (uint64_t i = 0; i < count; ++i) array = c.store(array, c.constant(i, 64), byte(first + i));
    return c.read(c.apply(std::make_shared<Scramble>(count), array), uint64_t(1));
  }
  ExprPtr is(ExprPtr e, uint64_t v) { return c.eq(e, c.constant(v, e->width())); }
};

class Applications : public testing::TestWithParam<unsigned> {
protected:
  SolverOptions options() const {
    SolverOptions o;
    o.useStages({"witness"}, GetParam() & 1);
    o.useStages({"ranges"}, GetParam() & 2);
    o.useStages({"slicing"}, GetParam() & 4);
    o.useStages({"cache"}, GetParam() & 8);
    o.useStages({"domains", "sat"}, GetParam() & 16);
    return o;
  }
};

TEST_P(Applications, ModelsAreReal) {
  OperationFixture f;
  auto chain = makeChain(f.c, options());
  PathCondition path;
  path.add(f.c.ult(f.byte(3), f.c.constant(9, 8)));
  unsigned sat = 0;
  for (unsigned v = 0; v < 64; ++v) {
    // Of two bytes: found or not, but never a model that is none.
    Answer a = chain->check({.path = path, .goal = f.is(f.scramble(0, 2), v)});
    EXPECT_NE(a.kind, AnswerKind::Unsat);
    if (a.kind != AnswerKind::Sat) continue;
    ++sat;
    EXPECT_TRUE(holds(a.model, path, f.is(f.scramble(0, 2), v)));
    // Without a model it is no easier.
    a = chain->check({.path = path, .goal = f.is(f.scramble(1, 2), v), .needModel = false});
    EXPECT_NE(a.kind, AnswerKind::Unsat);
  }
  EXPECT_GE(sat, 1u) << "v is 0 for zeros, at least";
}

TEST_P(Applications, ContradictoryResultsAreUnsat) {
  OperationFixture f;
  auto chain = makeChain(f.c, options());
  PathCondition path;
  ExprPtr result = f.scramble(0, 2);
  path.add(f.c.ule(result, f.c.constant(42, 8)));
  EXPECT_EQ(chain->check({.path = path, .goal = f.c.ult(f.c.constant(84, 8), result)}).kind,
            AnswerKind::Unsat);
}

TEST_P(Applications, ArgumentsAndResultsBelongTogether) {
  // in[0] and in[1] only meet in the argument: slicing must keep them together.
  OperationFixture f;
  auto chain = makeChain(f.c, options());
  PathCondition path;
  path.add(f.is(f.scramble(0, 2), 0));
  Model witness;
  Answer a = chain->check(
      {.path = path, .goal = f.is(f.byte(0), 1), .witness = &witness, .witnessVersion = 1});
  EXPECT_NE(a.kind, AnswerKind::Unsat);
  if (a.kind == AnswerKind::Sat) EXPECT_TRUE(holds(a.model, path, f.is(f.byte(0), 1)));
}

INSTANTIATE_TEST_SUITE_P(All, Applications, testing::Values(0u, 4u, 6u, 15u, 31u));

TEST(ExternalOperations, OfOneByteAreEnumerated) {
  OperationFixture f;
  auto chain = makeChain(f.c, {});
  PathCondition path;
  path.add(f.c.ult(f.byte(0), f.c.constant(30, 8)));
  Answer a = chain->check({.path = path, .goal = f.is(f.scramble(0, 1), uint64_t(7) * 29)});
  ASSERT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_EQ(a.model.byte(f.in, 0), 29);
  EXPECT_EQ(chain->check({.path = path, .goal = f.is(f.scramble(0, 1), 6)}).kind, AnswerKind::Unsat)
      << "7 b = 6 has a solution, 218, but that is not below 30";
}

} // namespace
