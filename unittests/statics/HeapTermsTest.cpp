// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms of local heaps, and what a conjunction of conditions says of them.
#include "statics/heap/Constraints.h"

#include <gtest/gtest.h>

namespace fathom::statics::heap {
namespace {

struct HeapTerms : testing::Test {
  Terms terms;
  TermId symbol(uint32_t index = 0) {
    return terms.symbol({.origin = Origin::Parameter, .index = index});
  }
  TermId number(int64_t n) { return terms.number(n); }
  TermId is(TermId a, Predicate predicate, int64_t n, uint8_t bits = 32) {
    return terms.compare(predicate, /*isSigned=*/true, a, number(n), bits);
  }
  bool agree(std::initializer_list<TermId> conditions) {
    Constraints all;
    for (const TermId condition : conditions)
      if (!all.assume(terms, condition, kNone)) return false;
    return true;
  }
};

TEST_F(HeapTerms, AddressesAreABaseAVaryingPartAndAnOffset) {
  const TermId base = symbol(), index = symbol(1);
  const TermId element =
      terms.operation(Operation::Add, terms.sum(base, 8),
                      terms.operation(Operation::Mul, index, number(4), 64, 64), 64, 64);
  const Address at = terms.addressOf(terms.sum(element, 16));
  EXPECT_EQ(at.base, base);
  EXPECT_EQ(at.offset, 24);
  EXPECT_NE(at.varying, kNoTerm);
  EXPECT_EQ(terms.addressOf(terms.ofAddress(at)), at);
  EXPECT_EQ(terms.sum(terms.sum(base, 5), -5), base);
}

TEST_F(HeapTerms, NumbersAreComputedInTheirWidth) {
  EXPECT_EQ(terms.operation(Operation::Add, number(127), number(1), 8, 8), number(-128));
  EXPECT_EQ(terms.operation(Operation::ZExt, number(-1), kNoTerm, 32, 8), number(255));
  EXPECT_EQ(terms.operation(Operation::SExt, number(-1), kNoTerm, 32, 8), number(-1));
  EXPECT_EQ(terms.operation(Operation::LShr, number(-1), number(28), 32, 32), number(15));
  EXPECT_EQ(terms.compare(Predicate::Less, false, number(-1), number(1), 32), Terms::kZero);
  EXPECT_EQ(terms.compare(Predicate::Less, true, number(-1), number(1), 32), Terms::kOne);
  EXPECT_FALSE(terms.numberOf(terms.operation(Operation::UDiv, number(1), number(0), 32, 32)));
}

TEST_F(HeapTerms, TruthValuesAreFollowedThroughIntegers) {
  const TermId isSmall = is(symbol(), Predicate::Less, 3);
  const TermId widened = terms.operation(Operation::ZExt, isSmall, kNoTerm, 32, 1);
  EXPECT_EQ(is(widened, Predicate::Unequal, 0), isSmall);
  EXPECT_EQ(is(widened, Predicate::Equal, 0), terms.negation(isSmall));
  EXPECT_EQ(terms.negation(terms.negation(isSmall)), isSmall);
}

TEST_F(HeapTerms, ConditionsContradictEachOther) {
  const TermId x = symbol(), y = symbol(1);
  EXPECT_TRUE(agree({is(x, Predicate::Less, 3), is(x, Predicate::Greater, 1)}));
  EXPECT_FALSE(agree({is(x, Predicate::Less, 3), is(x, Predicate::Greater, 2)}));
  EXPECT_FALSE(agree({is(x, Predicate::Equal, 3), is(x, Predicate::Unequal, 3)}));
  EXPECT_FALSE(agree({is(x, Predicate::LessEqual, 3), is(x, Predicate::GreaterEqual, 3),
                      is(x, Predicate::Unequal, 3)}));
  const TermId less = terms.compare(Predicate::Less, true, x, y, 32),
               equal = terms.compare(Predicate::Equal, false, x, y, 32);
  EXPECT_FALSE(agree({less, equal}));
  EXPECT_FALSE(agree({less, terms.compare(Predicate::LessEqual, true, y, x, 32)}));
  EXPECT_TRUE(agree({less, terms.compare(Predicate::Greater, false, x, y, 32)}));
  // x == 4 decides what is computed from it.
  const TermId next = terms.operation(Operation::Add, x, number(1), 32, 32);
  EXPECT_FALSE(agree({is(x, Predicate::Equal, 4), is(next, Predicate::Unequal, 5)}));
}

TEST_F(HeapTerms, ObjectsAreNotNullAndAllocationsMayBe) {
  const TermId variable = terms.variable(7, number(4));
  const TermId made = terms.instance({.kind = Instance::Kind::Allocation});
  Constraints none;
  EXPECT_TRUE(none.isNotNull(terms, variable));
  EXPECT_FALSE(none.isNotNull(terms, made));
  EXPECT_FALSE(agree({is(variable, Predicate::Equal, 0, 64)}));
  EXPECT_TRUE(agree({is(made, Predicate::Equal, 0, 64)}));
  EXPECT_FALSE(agree({terms.compare(Predicate::Equal, false, variable, made, 64)}));
  EXPECT_EQ(terms.numberOf(terms.null(3)), 0);
  EXPECT_NE(terms.null(3), terms.null(4)); // each remembers where it was chosen
}

TEST_F(HeapTerms, WhatTwoPathsHaveInCommonStays) {
  const TermId x = symbol(), y = symbol(1);
  Constraints one, other;
  ASSERT_TRUE(one.assume(terms, is(x, Predicate::Equal, 1), kNone));
  ASSERT_TRUE(one.assume(terms, is(y, Predicate::Equal, 2), kNone));
  ASSERT_TRUE(other.assume(terms, is(y, Predicate::Equal, 2), kNone));
  one.keepCommon(terms, other);
  EXPECT_FALSE(one.numberOf(terms, x));
  EXPECT_EQ(one.numberOf(terms, y), 2);
}

} // namespace
} // namespace fathom::statics::heap
