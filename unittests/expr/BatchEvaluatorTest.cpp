// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batch evaluator agrees with the Evaluator, on random terms in all their kinds and widths and
// on the cases at the edges of each operation.
#include "expr/BatchEvaluator.h"

#include "RandomTerms.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::expr::test;

namespace {

uint64_t lane(LaneType type, const std::byte *slot, unsigned l) {
  switch (type) {
  case LaneType::U8: return reinterpret_cast<const uint8_t *>(slot)[l];
  case LaneType::U32: return reinterpret_cast<const uint32_t *>(slot)[l];
  case LaneType::U64: return reinterpret_cast<const uint64_t *>(slot)[l];
  }
  return 0;
}

void setLane(LaneType type, std::byte *slot, unsigned l, uint64_t v) {
  switch (type) {
  case LaneType::U8: reinterpret_cast<uint8_t *>(slot)[l] = static_cast<uint8_t>(v); break;
  case LaneType::U32: reinterpret_cast<uint32_t *>(slot)[l] = static_cast<uint32_t>(v); break;
  case LaneType::U64: reinterpret_cast<uint64_t *>(slot)[l] = v; break;
  }
}

bool isNarrow(ExprPtr root) {
  bool narrow = true;
  TermVisitor visitor;
  visitPostOrder(root, visitor, [&](ExprPtr e) { narrow &= e->width() <= 64; });
  return narrow;
}

std::vector<BatchEvaluator::Input> bytesOf(ExprPtr symbol) {
  std::vector<BatchEvaluator::Input> inputs;
  for (uint64_t i = 0; i < symbol->array().sizeBytes; ++i) inputs.push_back({symbol, i});
  return inputs;
}

class BatchRandom : public testing::TestWithParam<uint64_t> {};

TEST_P(BatchRandom, AgreesWithEvaluator) {
  BatchEvaluator batch; // one for all, to see that nothing is left over from the one before
  for (unsigned round = 0; round < 40; ++round) {
    Rng rng(GetParam() * 1000 + round);
    ExprContext c({.simplify = round % 2 == 0});
    RandomTerms terms(c, rng, /*wide=*/round % 5 == 0);
    std::vector<ExprPtr> roots;
    for (unsigned n = 0; n < 200; ++n) {
      ExprPtr e = terms.grow(terms.someWidth());
      if (rng.below(10)) continue;
      if (isNarrow(e))
        roots.push_back(e);
      else
        EXPECT_FALSE(batch.compile(bytesOf(terms.input), std::span(&e, 1)));
    }
    const auto inputs = bytesOf(terms.input);
    ASSERT_TRUE(batch.compile(inputs, roots));
    const unsigned lanes = 1 + rng.below(BatchEvaluator::kLanes);
    std::vector<Model> models;
    for (unsigned l = 0; l < lanes; ++l) {
      models.push_back(randomModel(terms.input, rng));
      for (size_t i = 0; i < inputs.size(); ++i)
        batch.input<uint8_t>(i)[l] = models[l].byte(terms.input, i);
    }
    for (unsigned again = 0; again < 2; ++again) { // inputs and constants are still there
      if (again)
        batch.run(lanes);
      else
        for (size_t r = 0; r < roots.size(); ++r) batch.runRoot(r, lanes);
      Evaluator evaluator;
      for (unsigned l = 0; l < lanes; ++l) {
        evaluator.setModel(models[l], l);
        for (size_t r = 0; r < roots.size(); ++r)
          ASSERT_EQ(lane(batch.rootLanes(r), batch.rootBytes(r), l), evaluator.eval(roots[r]))
              << "seed " << GetParam() << " round " << round << " lane " << l << ": "
              << toString(roots[r]);
      }
    }
  }
}

TEST_P(BatchRandom, TermsAreInputsToo) {
  for (unsigned round = 0; round < 30; ++round) {
    Rng rng(GetParam() * 77 + round);
    ExprContext c;
    RandomTerms terms(c, rng);
    for (unsigned n = 0; n < 150; ++n) terms.grow(terms.someWidth());
    // Some terms are handed in: with the values that they have.
    auto inputs = bytesOf(terms.input);
    std::vector<ExprPtr> roots;
    for (unsigned w : kWidths)
      for (ExprPtr e : terms.pool[w]) {
        if (rng.below(4) == 0) inputs.push_back({e, 0});
        if (rng.below(4) == 0) roots.push_back(e);
      }
    BatchEvaluator batch;
    ASSERT_TRUE(batch.compile(inputs, roots));
    Evaluator evaluator;
    std::vector<Model> models;
    for (unsigned l = 0; l < 40; ++l) models.push_back(randomModel(terms.input, rng));
    for (unsigned l = 0; l < 40; ++l) {
      evaluator.setModel(models[l], l);
      for (size_t i = 0; i < inputs.size(); ++i)
        setLane(batch.inputLanes(i), batch.inputBytes(i), l,
                inputs[i].isByte() ? models[l].byte(inputs[i].term, inputs[i].index)
                                   : evaluator.eval(inputs[i].term));
    }
    batch.run(40);
    for (unsigned l = 0; l < 40; ++l) {
      evaluator.setModel(models[l], 100 + l);
      for (size_t r = 0; r < roots.size(); ++r)
        ASSERT_EQ(lane(batch.rootLanes(r), batch.rootBytes(r), l), evaluator.eval(roots[r]))
            << toString(roots[r]);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, BatchRandom, testing::Values(1, 2, 3, 4));

/// Every operation on operands at the edges of every width, both from lanes and as a constant.
TEST(BatchEvaluatorTest, EdgesOfEveryOperation) {
  using enum Kind;
  ExprContext c({.simplify = false});
  ExprPtr in = c.symbol("in", 16);
  auto word = [&](uint64_t from) {
    ExprPtr e = c.read(in, from);
    for (uint64_t i = 1; i < 8; ++i) e = c.concat(c.read(in, from + i), e);
    return e;
  };
  for (unsigned w : {1u, 5u, 7u, 8u, 9u, 16u, 31u, 32u, 33u, 63u, 64u}) {
    ExprPtr a = w == 64 ? word(0) : c.extract(word(0), 0, w),
            b = w == 64 ? word(8) : c.extract(word(8), 0, w);
    std::vector<uint64_t> edges = {0,
                                   1,
                                   2,
                                   w - 1,
                                   w,
                                   w + 1,
                                   lowMask(w),
                                   lowMask(w) - 1,
                                   uint64_t(1) << (w - 1),
                                   (uint64_t(1) << (w - 1)) - 1,
                                   10,
                                   0x5555555555555555};
    for (uint64_t &e : edges) e &= lowMask(w);
    std::vector<ExprPtr> roots;
    for (Kind k : {And, Or, Xor, Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, Eq, Ult,
                   Ule, Slt, Sle}) {
      roots.push_back(c.binary(k, a, b));
      for (uint64_t v : edges) {
        roots.push_back(c.binary(k, a, c.constant(v, w)));
        roots.push_back(c.binary(k, c.constant(v, w), b));
      }
    }
    roots.push_back(c.bvNot(a));
    BatchEvaluator batch;
    ASSERT_TRUE(batch.compile(bytesOf(in), roots));
    std::vector<Model> models;
    for (uint64_t x : edges)
      for (uint64_t y : edges) {
        Model m;
        for (unsigned i = 0; i < 8; ++i) {
          m.setByte(in, i, static_cast<uint8_t>(x >> 8 * i));
          m.setByte(in, 8 + i, static_cast<uint8_t>(y >> 8 * i));
        }
        for (unsigned i = 0; i < 16; ++i) batch.input<uint8_t>(i)[models.size()] = m.byte(in, i);
        models.push_back(m);
      }
    batch.run(static_cast<unsigned>(models.size()));
    Evaluator evaluator;
    for (unsigned l = 0; l < models.size(); ++l) {
      evaluator.setModel(models[l], l);
      for (size_t r = 0; r < roots.size(); ++r)
        ASSERT_EQ(lane(batch.rootLanes(r), batch.rootBytes(r), l), evaluator.eval(roots[r]))
            << toString(roots[r]);
    }
  }
}

TEST(BatchEvaluatorTest, WhatIsNotSupportedIsRefused) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 16);
  BatchEvaluator batch;
  auto compiles = [&](ExprPtr e, std::vector<BatchEvaluator::Input> inputs, size_t limit = 4096) {
    return batch.compile(inputs, std::span(&e, 1), limit);
  };
  ExprPtr b0 = c.read(in, uint64_t(0)), b1 = c.read(in, uint64_t(1));
  ExprPtr wide = c.eq(c.mul(c.zext(b0, 128), c.zext(b1, 128)), c.zext(b0, 128));
  EXPECT_FALSE(compiles(wide, {{in, 0}, {in, 1}}));
  EXPECT_FALSE(compiles(c.ult(b0, b1), {{in, 0}}));
  EXPECT_FALSE(compiles(c.read(c.store(in, c.zext(b0, 64), b0), uint64_t(1)), {{in, 0}}));
  ExprPtr sum = b0;
  for (unsigned i = 0; i < 100; ++i) sum = c.add(c.mul(sum, b1), c.constant(i, 8));
  EXPECT_FALSE(compiles(sum, {{in, 0}, {in, 1}}, 100));
  EXPECT_TRUE(compiles(sum, {{in, 0}, {in, 1}}, 1000));
}

TEST(BatchEvaluatorTest, SlotsAreReused) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 2), b0 = c.read(in, uint64_t(0)), b1 = c.read(in, uint64_t(1));
  ExprPtr e = b0;
  for (unsigned i = 0; i < 1000; ++i) e = c.bvXor(c.mul(e, b1), b0);
  BatchEvaluator batch;
  BatchEvaluator::Input inputs[] = {{in, 0}, {in, 1}};
  ASSERT_TRUE(batch.compile(inputs, std::span(&e, 1)));
  EXPECT_LE(batch.bufferSize(), 8 * BatchEvaluator::kLanes);
}

} // namespace
