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

Uint128 lane(LaneType type, const std::byte *slot, unsigned l) {
  Uint128 v = 0;
  withLaneType(type, [&](auto t) { v = reinterpret_cast<const decltype(t) *>(slot)[l]; });
  return v;
}

void setLane(LaneType type, std::byte *slot, unsigned l, Uint128 v) {
  withLaneType(type, [&](auto t) {
    using T = decltype(t);
    reinterpret_cast<T *>(slot)[l] = static_cast<T>(v);
  });
}

/// width <= 128.
Uint128 valueOf(Evaluator &evaluator, ExprPtr e) {
  uint64_t words[2] = {0, 0};
  evaluator.evalWide(e, words);
  return Uint128(words[1]) << 64 | words[0];
}

std::string text(Uint128 v) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%llx:%016llx", static_cast<unsigned long long>(v >> 64),
                static_cast<unsigned long long>(v));
  return buffer;
}

bool isSupported(ExprPtr root) {
  unsigned width = 0;
  TermVisitor visitor;
  visitPostOrder(root, visitor, [&](ExprPtr e) { width = std::max(width, e->width()); });
  return width <= kMaxLaneWidth;
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
    RandomTerms terms(c, rng, /*wide=*/round % 3 == 0);
    std::vector<ExprPtr> roots;
    for (unsigned n = 0; n < 200; ++n) {
      ExprPtr e = terms.grow(terms.someWidth());
      if (rng.below(10)) continue;
      if (isSupported(e))
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
    for (unsigned way = 0; way < 3; ++way) { // inputs and constants are still there
      if (way)
        batch.run(lanes, way == 1 ? LaneKernels::Best : LaneKernels::Portable);
      else
        for (size_t r = 0; r < roots.size(); ++r) batch.runRoot(r, lanes);
      Evaluator evaluator;
      for (unsigned l = 0; l < lanes; ++l) {
        evaluator.setModel(models[l], l);
        for (size_t r = 0; r < roots.size(); ++r)
          ASSERT_EQ(text(lane(batch.rootLanes(r), batch.rootBytes(r), l)),
                    text(valueOf(evaluator, roots[r])))
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
    RandomTerms terms(c, rng, /*wide=*/true);
    for (unsigned n = 0; n < 150; ++n) terms.grow(terms.someWidth());
    // Some terms are handed in: with the values that they have.
    auto inputs = bytesOf(terms.input);
    std::vector<ExprPtr> roots;
    for (const auto &[width, made] : terms.pool)
      for (ExprPtr e : made) {
        if (!isSupported(e)) continue;
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
                                   : valueOf(evaluator, inputs[i].term));
    }
    batch.run(40);
    for (unsigned l = 0; l < 40; ++l) {
      evaluator.setModel(models[l], 100 + l);
      for (size_t r = 0; r < roots.size(); ++r)
        ASSERT_EQ(text(lane(batch.rootLanes(r), batch.rootBytes(r), l)),
                  text(valueOf(evaluator, roots[r])))
            << toString(roots[r]);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, BatchRandom, testing::Values(1, 2, 3, 4));

/// Every operation on operands at the edges of every width, both from lanes and as a constant.
TEST(BatchEvaluatorTest, EdgesOfEveryOperation) {
  using enum Kind;
  ExprContext c({.simplify = false});
  ExprPtr in = c.symbol("in", 32);
  auto word = [&](uint64_t from) {
    ExprPtr e = c.read(in, from);
    for (uint64_t i = 1; i < 16; ++i) e = c.concat(c.read(in, from + i), e);
    return e;
  };
  for (unsigned w : {1u, 5u, 7u, 8u, 9u, 16u, 31u, 32u, 33u, 63u, 64u, 65u, 100u, 127u, 128u}) {
    ExprPtr a = c.extract(word(0), 0, w), b = c.extract(word(16), 0, w);
    const Uint128 mask = ~Uint128(0) >> (128 - w), top = Uint128(1) << (w - 1);
    std::vector<Uint128> edges = {0,    1,        2,   w - 1,   w,  w + 1,
                                  mask, mask - 1, top, top - 1, 10, mask / 3};
    for (Uint128 &e : edges) e &= mask;
    auto constant = [&](Uint128 v) {
      const uint64_t words[2] = {static_cast<uint64_t>(v), static_cast<uint64_t>(v >> 64)};
      return c.constantWide(words, w);
    };
    std::vector<ExprPtr> roots;
    for (Kind k : {And, Or, Xor, Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, Eq, Ult,
                   Ule, Slt, Sle}) {
      roots.push_back(c.binary(k, a, b));
      for (Uint128 v : edges) {
        roots.push_back(c.binary(k, a, constant(v)));
        roots.push_back(c.binary(k, constant(v), b));
      }
    }
    roots.push_back(c.bvNot(a));
    BatchEvaluator batch;
    ASSERT_TRUE(batch.compile(bytesOf(in), roots));
    std::vector<Model> models;
    for (Uint128 x : edges)
      for (Uint128 y : edges) {
        Model m;
        for (unsigned i = 0; i < 16; ++i) {
          m.setByte(in, i, static_cast<uint8_t>(x >> 8 * i));
          m.setByte(in, 16 + i, static_cast<uint8_t>(y >> 8 * i));
        }
        for (unsigned i = 0; i < 32; ++i) batch.input<uint8_t>(i)[models.size()] = m.byte(in, i);
        models.push_back(m);
      }
    batch.run(static_cast<unsigned>(models.size()));
    Evaluator evaluator;
    for (unsigned l = 0; l < models.size(); ++l) {
      evaluator.setModel(models[l], l);
      for (size_t r = 0; r < roots.size(); ++r)
        ASSERT_EQ(text(lane(batch.rootLanes(r), batch.rootBytes(r), l)),
                  text(valueOf(evaluator, roots[r])))
            << toString(roots[r]);
    }
  }
}

TEST(BatchEvaluatorTest, WhatIsNotSupportedIsRefused) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 16);
  BatchEvaluator batch;
  auto compiles = [&](ExprPtr e, std::vector<BatchEvaluator::Input> inputs, size_t limit = 1000) {
    return batch.compile(inputs, std::span(&e, 1), /*trackUnknown=*/false, limit);
  };
  ExprPtr b0 = c.read(in, uint64_t(0)), b1 = c.read(in, uint64_t(1));
  ExprPtr wide = c.eq(c.mul(c.zext(b0, 136), c.zext(b1, 136)), c.zext(b0, 136));
  EXPECT_FALSE(compiles(wide, {{in, 0}, {in, 1}}));
  EXPECT_FALSE(compiles(c.ult(b0, b1), {{in, 0}}));
  EXPECT_FALSE(compiles(c.read(c.store(in, c.zext(b0, 64), b0), uint64_t(1)), {{in, 0}}));
  ExprPtr sum = b0;
  for (unsigned i = 0; i < 100; ++i) sum = c.add(c.mul(sum, b1), c.constant(i, 8));
  EXPECT_FALSE(compiles(sum, {{in, 0}, {in, 1}}, 100));
  EXPECT_TRUE(compiles(sum, {{in, 0}, {in, 1}}, 1000));
}

TEST(BatchEvaluatorTest, UnknownBytesAreFoundOut) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 100), b0 = c.read(in, uint64_t(0)), b1 = c.read(in, uint64_t(1));
  ExprPtr far = c.read(in, uint64_t(50));
  // in[b0], with 7 written at b1; bytes 0 and 1 are inputs, and what lies beyond the end is 0.
  ExprPtr r = c.read(c.store(in, c.zext(b1, 64), c.constant(7, 8)), c.zext(b0, 64));
  ExprPtr isNine = c.eq(b0, c.constant(9, 8)), isFar = c.ult(far, b1);
  ExprPtr roots[] = {c.ult(b0, b1),          c.eq(r, c.constant(7, 8)), isFar,
                     c.bvAnd(isNine, isFar), c.bvOr(isNine, isFar),     c.ite(isNine, far, b0)};
  BatchEvaluator batch;
  BatchEvaluator::Input inputs[] = {{in, 0}, {in, 1}};
  ASSERT_FALSE(batch.compile(inputs, roots));
  ASSERT_TRUE(batch.compile(inputs, roots, /*trackUnknown=*/true));
  for (unsigned v = 0; v < 256; ++v) {
    batch.input<uint8_t>(0)[v] = static_cast<uint8_t>(v);
    batch.input<uint8_t>(1)[v] = 7;
  }
  batch.run(256);
  EXPECT_EQ(batch.rootUnknown(0), nullptr);
  for (unsigned v = 0; v < 256; ++v) {
    auto unknown = [&](size_t root) { return batch.rootUnknown(root)[v] != 0; };
    auto value = [&](size_t root) { return batch.root<uint8_t>(root)[v]; };
    ASSERT_EQ(unknown(1), v > 1 && v != 7 && v < 100) << v;
    if (!unknown(1)) ASSERT_EQ(value(1), v == 1 || v == 7) << v;
    ASSERT_TRUE(unknown(2));
    ASSERT_EQ(unknown(3), v == 9);
    if (!unknown(3)) ASSERT_EQ(value(3), 0);
    ASSERT_EQ(unknown(4), v != 9);
    if (!unknown(4)) ASSERT_EQ(value(4), 1);
    ASSERT_EQ(unknown(5), v == 9);
    if (!unknown(5)) ASSERT_EQ(value(5), v);
  }
}

/// Where a root is known, it has the same value whatever the bytes that are not given.
TEST_P(BatchRandom, KnownLanesDoNotDependOnOtherBytes) {
  unsigned known = 0, unknown = 0;
  for (unsigned round = 0; round < 40; ++round) {
    Rng rng(GetParam() * 555 + round);
    ExprContext c({.simplify = round % 2 == 0});
    RandomTerms terms(c, rng, /*wide=*/round % 3 == 0);
    std::vector<ExprPtr> roots;
    for (unsigned n = 0; n < 150; ++n) {
      ExprPtr e = terms.grow(terms.someWidth());
      if (rng.below(4) == 0 && isSupported(e)) roots.push_back(e);
    }
    std::vector<BatchEvaluator::Input> inputs;
    for (uint64_t i = 0; i < 8; ++i)
      if (rng.below(3)) inputs.push_back({terms.input, i});
    BatchEvaluator batch;
    ASSERT_TRUE(batch.compile(inputs, roots, /*trackUnknown=*/true));
    constexpr unsigned kTried = 40;
    std::vector<Model> models;
    for (unsigned l = 0; l < kTried; ++l) {
      models.push_back(randomModel(terms.input, rng));
      for (size_t i = 0; i < inputs.size(); ++i)
        batch.input<uint8_t>(i)[l] = models[l].byte(terms.input, inputs[i].index);
    }
    batch.run(kTried);
    Evaluator evaluator;
    for (unsigned l = 0; l < kTried; ++l) {
      evaluator.setModel(models[l], l);
      for (size_t r = 0; r < roots.size(); ++r) {
        if (batch.rootUnknown(r) && batch.rootUnknown(r)[l]) {
          ++unknown;
          continue;
        }
        ++known;
        ASSERT_EQ(text(lane(batch.rootLanes(r), batch.rootBytes(r), l)),
                  text(valueOf(evaluator, roots[r])))
            << "seed " << GetParam() << " round " << round << " lane " << l << ": "
            << toString(roots[r]);
      }
    }
  }
  EXPECT_GT(known, 1000u);
  EXPECT_GT(unknown, 1000u);
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
