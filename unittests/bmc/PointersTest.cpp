// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Pointers.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::bmc;

namespace {

class PointersTest : public testing::Test {
protected:
  expr::ExprContext context;
  program::Program program;
  Objects objects{context, program, /*knowsVariables=*/false};
  Pointers pointers{context, objects};

  ExprPtr number(uint64_t value) { return context.constant(value, 64); }
};

TEST_F(PointersTest, AChoiceLeadsToBothObjects) {
  const ObjectId a = objects.addHeap(), b = objects.addLocal(0, 16);
  const ExprPtr condition = objects.fresh(1);
  const ExprPtr address = context.add(
      context.ite(condition, number(objects.at(a).base), number(objects.at(b).base)), number(8));
  const std::vector<Target> targets = pointers.targetsOf(address);
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(targets[0].object, a);
  EXPECT_EQ(targets[0].guard, condition);
  EXPECT_EQ(targets[0].offset, number(8));
  EXPECT_EQ(targets[1].object, b);
  EXPECT_EQ(targets[1].guard, context.bvNot(condition));
}

TEST_F(PointersTest, NullIsNoObject) {
  const std::vector<Target> targets = pointers.targetsOf(number(24));
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_EQ(targets[0].object, kNoObject);
  EXPECT_EQ(targets[0].offset, number(24));
}

TEST_F(PointersTest, EqualTermsLeadToOneObject) {
  const ExprPtr pointer = objects.freshOfCallers(64), other = objects.fresh(64);
  const Target first = pointers.targetsOf(pointer).at(0);
  const Target member = pointers.targetsOf(context.add(pointer, number(16))).at(0);
  EXPECT_EQ(member.object, first.object);
  EXPECT_EQ(member.offset, number(16));
  EXPECT_TRUE(member.isCallers);
  const Target second = pointers.targetsOf(other).at(0);
  EXPECT_NE(second.object, first.object);
  EXPECT_FALSE(second.isCallers);
}

TEST_F(PointersTest, AnIndexIsNoPointer) {
  const ExprPtr pointer = objects.fresh(64), index = context.sext(objects.fresh(32), 64);
  const Target plain = pointers.targetsOf(pointer).at(0);
  const Target indexed =
      pointers.targetsOf(context.add(context.mul(index, number(4)), pointer)).at(0);
  EXPECT_EQ(indexed.object, plain.object);
  EXPECT_FALSE(indexed.offset->isConst());
}

TEST_F(PointersTest, TooManyTargetsAreNone) {
  ExprPtr address = number(0);
  for (int i = 0; i < 70; ++i)
    address = context.ite(objects.fresh(1), number(objects.at(objects.addHeap()).base), address);
  EXPECT_TRUE(pointers.targetsOf(address).empty());
}

} // namespace
