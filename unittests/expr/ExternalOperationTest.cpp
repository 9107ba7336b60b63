// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applications of external operations as terms: evaluated by executing them, transitively, and in
// step with the inputs. The operations here are C++, so that what they give is known.
#include "HostOperation.h"

#include "expr/ExprContext.h"
#include "expr/Model.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace fathom;
using namespace fathom::expr;
using fathom::expr::test::Host;

namespace {

std::shared_ptr<Host> sumOf(uint64_t bytes) {
  return std::make_shared<Host>("sum/" + std::to_string(bytes), bytes, 2,
                                [](std::span<const uint8_t> in, std::span<uint8_t> out) {
                                  out[1] = static_cast<uint8_t>(
                                      std::accumulate(in.begin(), in.end(), 0u));
                                });
}

/// A table of zeros with these bytes stored into it.
ExprPtr inputOf(ExprContext &c, std::span<const ExprPtr> bytes) {
  ExprPtr array = c.constArray(std::vector<uint8_t>(bytes.size(), 0));
  for (size_t i = 0; i < bytes.size(); ++i) array = c.store(array, c.constant(i, 64), bytes[i]);
  return array;
}

TEST(Apply, EqualApplicationsAreOneNodeAndKnowWhatIsBelow) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 4);
  auto sum = sumOf(2);
  ExprPtr pair[] = {c.read(in, uint64_t(0)), c.read(in, uint64_t(1))};
  ExprPtr a = c.apply(sum, inputOf(c, pair));
  EXPECT_EQ(a, c.apply(sumOf(2), inputOf(c, pair))) << "an operation is known by its name";
  EXPECT_EQ(&a->operation(), sum.get());
  std::swap(pair[0], pair[1]);
  EXPECT_NE(a, c.apply(sum, inputOf(c, pair)));
  ExprPtr byte = c.read(a, uint64_t(1));
  EXPECT_TRUE(byte->has(kHasApply));
  EXPECT_TRUE(byte->has(kHasSymbol));
  EXPECT_FALSE(pair[0]->has(kHasApply));
  EXPECT_EQ(c.read(a, uint64_t(2)), c.constant(0, 8)) << "past the end it is 0, as everywhere";
  EXPECT_NE(toString(byte).find("sum/2"), std::string::npos);
}

TEST(Apply, IsEvaluatedByExecutionOncePerModel) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 3);
  auto sum = sumOf(3);
  std::vector<ExprPtr> bytes;
  for (uint64_t i = 0; i < 3; ++i) bytes.push_back(c.read(in, i));
  ExprPtr first = c.apply(sum, inputOf(c, bytes));
  // The result of one is an argument of another.
  ExprPtr chained[] = {c.read(first, uint64_t(1)), bytes[0], c.constant(5, 8)};
  ExprPtr second = c.read(c.apply(sum, inputOf(c, chained)), uint64_t(1));
  Evaluator evaluator;
  Model model;
  model.setByte(in, 0, 1);
  model.setByte(in, 1, 20);
  model.setByte(in, 2, 100);
  evaluator.setModel(model, 1);
  EXPECT_EQ(evaluator.eval(second), 1 + 20 + 100 + 1 + 5u);
  EXPECT_EQ(evaluator.eval(c.read(first, uint64_t(1))), 121u);
  EXPECT_EQ(sum->calls, 2u);
  Model other = model;
  other.setByte(in, 1, 30);
  evaluator.setModel(other, 2);
  EXPECT_EQ(evaluator.eval(second), 137u);
}

TEST(Apply, LongInputsAndTallArgumentsNeedNoStack) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 2);
  ExprPtr tall = c.read(in, uint64_t(0));
  for (unsigned i = 0; i < 200'000; ++i)
    tall = c.bvXor(c.add(tall, c.constant(3, 8)), c.constant(i, 8));
  std::vector<ExprPtr> bytes(5000, tall);
  bytes[77] = c.read(in, uint64_t(1));
  ExprPtr value = c.read(c.apply(sumOf(bytes.size()), inputOf(c, bytes)), uint64_t(1));
  for (unsigned i = 0; i < 1000; ++i) { // ... and many, each an argument of the next
    ExprPtr one[] = {value};
    value = c.read(c.apply(sumOf(1), inputOf(c, one)), uint64_t(1));
  }
  Model model;
  model.setByte(in, 0, 9);
  model.setByte(in, 1, 4);
  Evaluator evaluator;
  evaluator.setModel(model, 1);
  uint8_t want = 9;
  for (unsigned i = 0; i < 200'000; ++i) want = static_cast<uint8_t>((want + 3) ^ i);
  EXPECT_EQ(evaluator.eval(value), static_cast<uint8_t>(4999 * want + 4));
}

TEST(Apply, SurvivesCollectionAndSubstitution) {
  ExprContext c;
  ExprPtr in = c.symbol("in", 2);
  ExprPtr b0 = c.read(in, uint64_t(0)), b1 = c.read(in, uint64_t(1));
  ExprPtr pair[] = {b0, b1};
  ExprPtr kept = c.read(c.apply(sumOf(2), inputOf(c, pair)), uint64_t(1));
  c.collect([&](auto visit) { visit(kept); });
  Model model;
  model.setByte(in, 0, 7);
  model.setByte(in, 1, 8);
  Evaluator evaluator;
  evaluator.setModel(model, 1);
  EXPECT_EQ(evaluator.eval(kept), 15u);
  std::pair<ExprPtr, ExprPtr> swap[] = {{b0, c.constant(40, 8)}};
  ExprPtr changed = c.substitute(kept, swap);
  ASSERT_NE(changed, kept);
  EXPECT_TRUE(changed->has(kHasApply));
  EXPECT_EQ(evaluator.eval(changed), 48u);
}

} // namespace
