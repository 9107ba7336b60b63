// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Value sets against all values of a number of 16 bits, and the stage against Z3.
#include "solver/ValueSetStage.h"
#include "SolverTestUtil.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::solver::test;

namespace {

bool has(const ValueSet &set, uint64_t value) {
  return std::ranges::any_of(set, [&](const Strided &s) {
    return value >= s.lo && value <= s.hi && (value - s.lo) % s.stride == 0;
  });
}

/// Clauses about one of `numbers`, or now and then about two.
struct RandomClauses {
  ExprContext &c;
  Rng &rng;
  std::vector<ExprPtr> numbers;

  ExprPtr term(ExprPtr number) {
    const auto constant = [&](unsigned width) {
      return c.constant(rng.below(2)  ? rng.below(40)
                        : width == 16 ? rng.next() & 0xffff
                                      : rng.next(),
                        width);
    };
    switch (rng.below(7)) {
    case 0: return c.add(number, constant(16));
    case 1: return c.sext(number, 32);
    case 2: return c.zext(number, 32);
    case 3: return c.add(c.sext(number, 32), constant(32));
    case 4: return c.urem(number, c.constant(1 + rng.below(9), 16));
    case 5: return c.bvAnd(number, c.constant((1u << rng.below(5)) - 1, 16));
    default: return number;
    }
  }
  ExprPtr clause(unsigned oneInSoManyHasTwo = 0) {
    ExprPtr a = term(numbers[rng.below(numbers.size())]);
    ExprPtr b = c.constant(rng.below(3) ? rng.below(50) : rng.next() & 0xffff, a->width());
    if (oneInSoManyHasTwo && !rng.below(oneInSoManyHasTwo)) a = numbers[0], b = numbers[1];
    if (rng.below(2)) std::swap(a, b);
    ExprPtr e = nullptr;
    switch (rng.below(5)) {
    case 0: e = c.eq(a, b); break;
    case 1: e = c.ult(a, b); break;
    case 2: e = c.ule(a, b); break;
    case 3: e = c.slt(a, b); break;
    default: e = c.sle(a, b); break;
    }
    return rng.below(2) ? c.bvNot(e) : e;
  }
};

class ValueSets : public testing::TestWithParam<uint64_t> {
protected:
  ExprContext c;
  ExprPtr in = c.symbol("in", 6);
  ExprPtr number(uint64_t at) { return c.concat(c.read(in, at + 1), c.read(in, at)); }
  Rng rng{GetParam()};
  uint64_t nextVersion = 1;
};

TEST_P(ValueSets, AreTheValuesForWhichTheClauseHolds) {
  RandomClauses random{c, rng, {number(2)}};
  unsigned amenable = 0;
  for (unsigned round = 0; round < 40; round++) {
    ExprPtr clause = random.clause();
    const auto said = valueSetOf(clause);
    if (!said) continue;
    amenable++;
    Evaluator evaluator;
    Model model;
    for (uint64_t v = 0; v < 0x10000; v++) {
      for (unsigned i = 0; i < said->first.bytes; i++)
        model.setByte(in, said->first.first + i, static_cast<uint8_t>(v >> 8 * i));
      if (said->first.bytes == 1 && v > 255) break;
      evaluator.setModel(model, round << 16 | v);
      ASSERT_EQ(evaluator.isTrue(clause), has(said->second, v)) << v;
    }
  }
  EXPECT_GT(amenable, 5u);
}

TEST_P(ValueSets, IntersectionsAreExact) {
  auto random = [&] {
    ValueSet set;
    uint64_t at = 0;
    for (unsigned i = rng.below(4); i > 0; i--) {
      const uint64_t stride = 1 + rng.below(7), lo = at + rng.below(60);
      set.push_back({lo, lo + stride * rng.below(20), stride});
      at = set.back().hi + 1;
    }
    return set;
  };
  for (unsigned round = 0; round < 300; round++) {
    const ValueSet a = random(), b = random();
    const auto both = intersection(a, b);
    ASSERT_TRUE(both);
    for (uint64_t v = 0; v < 800; v++) ASSERT_EQ(has(*both, v), has(a, v) && has(b, v)) << v;
  }
}

TEST_P(ValueSets, TheStageAnswersAsTheSolverDoes) {
  SolverOptions options;
  options.valueSets = options.crossCheck = true;
  std::unique_ptr<FeasibilityOracle> chain = makeChain(c, options);
  std::unique_ptr<FeasibilityOracle> reference = makeReference(c, {});
  for (unsigned round = 0; round < 12; round++) {
    RandomClauses random{c, rng, {number(0), number(2), number(4)}};
    PathCondition path;
    Model witness;
    for (unsigned step = 0; step < 10; step++) {
      ExprPtr goal = random.clause(/*oneInSoManyHasTwo=*/6);
      if (goal->isConst()) continue;
      const Query query{
          .path = path, .goal = goal, .witness = &witness, .witnessVersion = nextVersion++};
      const Answer answer = chain->check(query);
      const Answer expected = reference->check(query);
      ASSERT_EQ(answer.kind, expected.kind);
      if (answer.kind != AnswerKind::Sat) continue;
      EXPECT_TRUE(holds(answer.model, path, goal));
      path.add(goal);
      witness = answer.model;
    }
  }
  EXPECT_GT(countOf(*chain, "values", &StageStats::sat), 5u);
  EXPECT_GT(countOf(*chain, "values", &StageStats::passedOn), 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ValueSets, testing::Values(1, 2, 3, 4));

} // namespace
