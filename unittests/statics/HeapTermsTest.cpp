// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms of local heaps, what a conjunction of conditions says of them, and cells of memory.
#include "statics/heap/HeapState.h"

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

TEST_F(HeapTerms, BitsOfOneNumberHangTogether) {
  const TermId x = symbol();
  const auto masked = [&](int64_t mask) {
    return terms.operation(Operation::And, x, number(mask), 32, 32);
  };
  EXPECT_FALSE(agree({is(masked(7), Predicate::Equal, 0), is(masked(6), Predicate::Unequal, 0)}));
  EXPECT_FALSE(agree({is(masked(6), Predicate::Unequal, 0), is(masked(7), Predicate::Equal, 0)}));
  EXPECT_FALSE(agree({is(masked(7), Predicate::Equal, 5), is(masked(4), Predicate::Equal, 0)}));
  EXPECT_TRUE(agree({is(masked(7), Predicate::Equal, 5), is(masked(4), Predicate::Equal, 4)}));
  EXPECT_TRUE(agree({is(masked(6), Predicate::Equal, 0), is(masked(7), Predicate::Unequal, 0)}));
  EXPECT_TRUE(agree({is(masked(6), Predicate::Equal, 0), is(masked(9), Predicate::Unequal, 0)}));
}

TEST_F(HeapTerms, FactsExcludeAndBranchesAccuse) {
  const TermId counter = terms.symbol({.origin = Origin::Round, .low = 0, .high = 100});
  const TermId twice = terms.operation(Operation::Mul, counter, number(2), 32, 32);
  Constraints all;
  EXPECT_FALSE(Constraints().assume(terms, is(counter, Predicate::Less, 0), kNone));
  EXPECT_EQ(all.boundsOf(terms, twice).low, 0);
  EXPECT_EQ(all.boundsOf(terms, twice).high, 200);
  EXPECT_EQ(all.branchBoundsOf(terms, twice).low, INT64_MIN);
  EXPECT_EQ(all.branchBoundsOf(terms, twice).high, INT64_MAX);
  // Of multiples of two, 6 is the largest below 8.
  ASSERT_TRUE(all.assume(terms, is(twice, Predicate::Less, 8), kNone));
  EXPECT_EQ(all.boundsOf(terms, twice).high, 6);
  EXPECT_EQ(all.branchBoundsOf(terms, twice).high, 6);
  EXPECT_EQ(all.branchBoundsOf(terms, twice).low, INT64_MIN);
  // What a branch says again is what it says.
  ASSERT_TRUE(all.assume(terms, is(counter, Predicate::GreaterEqual, 0), kNone));
  EXPECT_EQ(all.branchBoundsOf(terms, counter).low, 0);
}

TEST_F(HeapTerms, LargeUnsignedNumbersAreNoSmallOnes) {
  const TermId x = symbol();
  const auto isAtLeast = [&](int64_t n) {
    return terms.compare(Predicate::GreaterEqual, /*isSigned=*/false, x, number(n), 32);
  };
  EXPECT_FALSE(agree({isAtLeast(2), is(x, Predicate::Equal, 1)}));
  EXPECT_FALSE(agree({isAtLeast(2), is(x, Predicate::Equal, 0)}));
  EXPECT_TRUE(agree({isAtLeast(2), is(x, Predicate::Equal, 2)}));
  EXPECT_TRUE(agree({isAtLeast(2), is(x, Predicate::Equal, -1)}));
}

TEST_F(HeapTerms, AFlagIsOneOfTheNumbersThatAreStoredToIt) {
  const std::vector<int64_t> stored = {-1, 0, 2, 1000};
  const TermId flag = symbol();
  terms.setNumbers(flag, stored);
  EXPECT_TRUE(agree({is(flag, Predicate::Equal, 2)}));
  EXPECT_FALSE(agree({is(flag, Predicate::Equal, 1)}));
  EXPECT_FALSE(agree({is(flag, Predicate::Less, -1)}));
  EXPECT_FALSE(agree({is(flag, Predicate::Greater, 0), is(flag, Predicate::Less, 2)}));
  // What lies between far numbers is not listed.
  EXPECT_TRUE(agree({is(flag, Predicate::Equal, 500)}));
  const Constraints none;
  EXPECT_EQ(none.boundsOf(terms, flag).low, -1);
  EXPECT_EQ(none.boundsOf(terms, flag).high, 1000);
  Constraints last;
  EXPECT_TRUE(last.assume(terms, is(flag, Predicate::Unequal, -1), kNone));
  EXPECT_TRUE(last.assume(terms, is(flag, Predicate::Unequal, 2), kNone));
  EXPECT_TRUE(last.assume(terms, is(flag, Predicate::Less, 17), kNone));
  EXPECT_EQ(last.numberOf(terms, flag), std::nullopt); // 3 to 16 are not excluded, nor is 0
  EXPECT_TRUE(last.assume(terms, is(flag, Predicate::Less, 3), kNone));
  EXPECT_EQ(last.numberOf(terms, flag), 0);
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

TEST_F(HeapTerms, BranchesBoundATermAlsoThroughSumsProductsAndCasts) {
  const TermId x = symbol(), n = symbol(1);
  Constraints all;
  ASSERT_TRUE(all.assume(terms, is(x, Predicate::LessEqual, 10), kNone));
  ASSERT_TRUE(all.assume(terms, is(x, Predicate::GreaterEqual, 2), kNone));
  const TermId wide = terms.operation(Operation::SExt, x, kNoTerm, 64, 32);
  const TermId place = terms.sum(terms.operation(Operation::Mul, wide, number(4), 64, 64), 100);
  EXPECT_EQ(all.boundsOf(terms, place).low, 108);
  EXPECT_EQ(all.boundsOf(terms, place).high, 140);
  EXPECT_EQ(all.boundsOf(terms, n).high, INT64_MAX);
  // By way of the other one.
  ASSERT_TRUE(all.assume(terms, terms.compare(Predicate::Less, true, n, x, 32), kNone));
  EXPECT_EQ(all.boundsOf(terms, n).high, 9);
  EXPECT_EQ(all.ordersOf(n, x), kLess);
  EXPECT_EQ(all.ordersOf(x, n), kGreater);
  EXPECT_EQ(all.ordersOf(n, symbol(2)), kAnyOrder);
}

TEST_F(HeapTerms, AQuotientBoundsWhatIsDivided) {
  const TermId x = symbol();
  const TermId half = terms.operation(Operation::SDiv, x, number(2), 32, 32);
  EXPECT_FALSE(agree({is(half, Predicate::Greater, 1), is(x, Predicate::LessEqual, 3)}));
  EXPECT_TRUE(agree({is(half, Predicate::Greater, 1), is(x, Predicate::LessEqual, 4)}));
  EXPECT_FALSE(agree({is(half, Predicate::Less, 3), is(x, Predicate::GreaterEqual, 6)}));
  EXPECT_TRUE(agree({is(half, Predicate::Less, 3), is(x, Predicate::Equal, 5)}));
  EXPECT_FALSE(agree({is(half, Predicate::Equal, 2), is(x, Predicate::Greater, 5)}));
  // C rounds towards zero: nothing is said of negative numbers.
  EXPECT_TRUE(agree({is(half, Predicate::Equal, 0), is(x, Predicate::Equal, -1)}));
}

TEST_F(HeapTerms, WhatIsEqualToANumberIsThatNumber) {
  const TermId group = symbol(), last = symbol(1);
  const TermId areEqual = terms.compare(Predicate::Equal, false, group, last, 64);
  const TermId isThere = terms.compare(Predicate::Unequal, false, group, Terms::kZero, 64);
  const TermId isNone = terms.compare(Predicate::Equal, false, last, Terms::kZero, 64);
  EXPECT_FALSE(agree({isThere, areEqual, isNone}));
  EXPECT_FALSE(agree({isThere, isNone, areEqual}));
  EXPECT_FALSE(agree({areEqual, isNone, isThere}));
  EXPECT_TRUE(agree({isThere, areEqual}));
  EXPECT_TRUE(agree({areEqual, isNone}));
}

TEST_F(HeapTerms, WhatIsKnownOfAWiderNumberIsKnownOfTheNumber) {
  const TermId x = symbol();
  const TermId wide = terms.operation(Operation::ZExt, x, kNoTerm, 64, 16);
  const TermId isLarge =
      terms.compare(Predicate::GreaterEqual, /*isSigned=*/false, wide, number(28), 64);
  EXPECT_FALSE(agree({isLarge, is(x, Predicate::Equal, 0)}));
  // What is large as an unsigned number is negative as a narrow one.
  EXPECT_TRUE(agree({isLarge, is(x, Predicate::Equal, -1)}));
  EXPECT_TRUE(agree({isLarge, is(x, Predicate::Equal, 28)}));
}

TEST_F(HeapTerms, WhatOnlyExcludesAccusesNobodyBehindTwoHeaps) {
  const TermId x = symbol();
  Constraints below, at;
  below.addFact(terms, x, {0, 4});
  at.addFact(terms, x, {0, 4});
  ASSERT_TRUE(below.assume(terms, is(x, Predicate::Less, 3), kNone));
  Constraints both = below;
  both.keepCommon(terms, at);
  EXPECT_EQ(both.boundsOf(terms, x).high, 4);
  EXPECT_EQ(both.branchBoundsOf(terms, x).high, INT64_MAX);
  // A branch that leaves one number alone says which one it is.
  ASSERT_TRUE(at.assume(terms, is(x, Predicate::GreaterEqual, 4), kNone));
  both = below;
  both.keepCommon(terms, at);
  EXPECT_EQ(both.branchBoundsOf(terms, x).high, 4);
}

TEST_F(HeapTerms, TwoNumbersThatWerePutTogetherComeApart) {
  const TermId low = symbol(), high = symbol(1);
  const TermId wideLow = terms.operation(Operation::ZExt, low, kNoTerm, 64, 32);
  const TermId wideHigh = terms.operation(Operation::ZExt, high, kNoTerm, 64, 32);
  const TermId both =
      terms.operation(Operation::Or, wideLow,
                      terms.operation(Operation::Shl, wideHigh, number(32), 64, 64), 64, 64);
  EXPECT_EQ(terms.operation(Operation::Trunc, both, kNoTerm, 32, 64), low);
  const TermId upper = terms.operation(Operation::LShr, both, number(32), 64, 64);
  EXPECT_EQ(terms.operation(Operation::Trunc, upper, kNoTerm, 32, 64), high);
}

TEST_F(HeapTerms, DifferentConditionsMaySayTheSame) {
  const TermId x = symbol();
  Constraints isSpace, isOther;
  ASSERT_TRUE(isSpace.assume(terms, is(x, Predicate::Equal, 32), kNone));
  const TermId moved = terms.operation(Operation::Sub, x, number(9), 32, 32);
  ASSERT_TRUE(isOther.assume(
      terms, terms.compare(Predicate::Less, /*isSigned=*/false, moved, number(5), 32), kNone));
  EXPECT_FALSE(isOther.allows(terms, x, 0, 32));
  EXPECT_TRUE(isOther.allows(terms, x, 9, 32));
  isSpace.keepCommon(terms, isOther);
  EXPECT_EQ(isSpace.boundsOf(terms, x).low, 9);
  EXPECT_EQ(isSpace.boundsOf(terms, x).high, 32);
  // Callers get to know it by the conditions alone.
  Constraints again;
  for (const Atom &atom : isSpace.atoms()) ASSERT_TRUE(again.assume(terms, atom.condition, kNone));
  EXPECT_FALSE(again.allows(terms, x, 0, 32));
  EXPECT_TRUE(again.allows(terms, x, 20, 32));
}

struct HeapCells : HeapTerms {
  HeapState state;
  TermId block = terms.instance({.kind = Instance::Kind::Allocation, .bytes = number(64)});
  Address at(int64_t offset, TermId varying = kNoTerm) const { return {block, varying, offset}; }
};

TEST_F(HeapCells, AWriteRemovesWhatItCoversAndTheLengthsOfTexts) {
  state.write(terms, at(0), 4, number(1));
  state.write(terms, at(4), 4, number(2));
  state.write(terms, at(0), 0, number(7));
  ASSERT_NE(state.find(at(0), 0), nullptr);
  state.write(terms, at(2), 4, number(3));
  EXPECT_EQ(state.find(at(0), 4), nullptr);
  EXPECT_EQ(state.find(at(4), 4), nullptr);
  EXPECT_EQ(state.find(at(0), 0), nullptr);
  EXPECT_EQ(state.cellsOf(block).size(), 1u);
  EXPECT_FALSE(state.isForgotten(block));
}

TEST_F(HeapCells, AWriteAtAnyElementLeavesNothingKnownOfTheOthers) {
  state.write(terms, at(0), 4, number(1));
  state.write(terms, at(0, symbol()), 4, number(2));
  EXPECT_EQ(state.find(at(0), 4), nullptr);
  EXPECT_TRUE(state.isForgotten(block));
}

TEST_F(HeapCells, WhatIsForgottenTakesAlongWhatItPointsToIfItEscapes) {
  const TermId inner = terms.instance({.kind = Instance::Kind::Allocation});
  state.made = {block, inner};
  state.write(terms, at(8), 8, inner);
  state.write(terms, {inner, kNoTerm, 0}, 4, number(5));
  HeapState only = state;
  only.forget(terms, block, /*escapes=*/false);
  EXPECT_TRUE(only.cellsOf(block).empty());
  EXPECT_EQ(only.cellsOf(inner).size(), 1u);
  EXPECT_EQ(only.escaped, std::vector{inner}); // it may have been overwritten
  state.forget(terms, block, /*escapes=*/true);
  EXPECT_TRUE(state.cellsOf(inner).empty());
  EXPECT_TRUE(state.isForgotten(inner));
}

TEST_F(HeapCells, OfAccessesTheFirstAfterEachReleaseIsKept) {
  const TermId pointer = symbol();
  state.note({.base = pointer, .after = 0, .at = 1});
  state.note({.base = pointer, .after = 0, .at = 2});
  state.note({.base = pointer, .after = 1, .at = 3});
  ASSERT_EQ(state.accesses.size(), 2u);
  EXPECT_EQ(state.accesses[1].at, 3u);
}

TEST_F(HeapTerms, PlacesInOneObjectAreOrderedAsTheirOffsets) {
  const TermId block =
      terms.instance({.kind = Instance::Kind::Allocation, .statement = 1, .bytes = number(8)});
  const TermId index = symbol();
  const TermId at = terms.ofAddress({block, index, 0});
  // at >= block, and the index is below zero.
  EXPECT_FALSE(agree({terms.compare(Predicate::GreaterEqual, false, at, block, 64),
                      is(index, Predicate::Less, 0, 64)}));
  EXPECT_TRUE(agree({terms.compare(Predicate::GreaterEqual, false, at, block, 64),
                     is(index, Predicate::Less, 1, 64)}));
  EXPECT_FALSE(agree({terms.compare(Predicate::Less, false, terms.sum(block, 4), at, 64),
                      is(index, Predicate::Less, 5, 64)}));
}

TEST_F(HeapTerms, LengthsAreNotNegativeAlsoAsInt) {
  const TermId length = terms.symbol({.origin = Origin::Read, .statement = 1, .bytes = 0});
  const TermId narrow = terms.operation(Operation::Trunc, length, kNoTerm, 32, 64);
  EXPECT_FALSE(agree({is(narrow, Predicate::Less, 0)}));
  // What is no smaller than a length is not negative.
  const TermId width = symbol();
  EXPECT_FALSE(agree({terms.compare(Predicate::GreaterEqual, true, width, narrow, 32),
                      is(width, Predicate::Less, 0)}));
  // width - length + length
  const TermId space = terms.operation(Operation::Sub, width, narrow, 32, 32);
  EXPECT_EQ(terms.operation(Operation::Add, space, narrow, 32, 32), width);
  EXPECT_EQ(terms.operation(Operation::Add, narrow, space, 32, 32), width);
}

TEST_F(HeapTerms, EqualTermsAreOneHoweverManyThereAre) {
  std::vector<TermId> all;
  for (int64_t n = 0; n < 5000; n++) all.push_back(number(n * n));
  for (int64_t n = 0; n < 5000; n++) EXPECT_EQ(number(n * n), all[static_cast<size_t>(n)]);
  EXPECT_NE(symbol(), symbol());
}

TEST(ExcludedNumbers, ComeInOrder) {
  ExcludedNumbers numbers;
  EXPECT_FALSE(numbers.contains(0));
  for (const int64_t n : {3, 0, -2, 3, 7}) numbers.insert(n);
  std::vector<int64_t> seen;
  numbers.forEach([&](int64_t n) {
    EXPECT_TRUE(numbers.contains(n));
    seen.push_back(n);
    return n < 3;
  });
  EXPECT_EQ(seen, (std::vector<int64_t>{-2, 0, 3}));
  EXPECT_FALSE(numbers.contains(2));
  EXPECT_TRUE(numbers.contains(7));
}

TEST_F(HeapTerms, HeapsAreFarFromEachOtherInWhatReportsAreAbout) {
  const TermId block =
      terms.instance({.kind = Instance::Kind::Allocation, .statement = 1, .bytes = number(8)});
  const std::vector<uint32_t> live{0};
  HeapState a;
  a.values = {number(1)};
  a.made = {block};
  HeapState b = a;
  EXPECT_EQ(a.distance(terms, b, live), 0u);
  b.values = {number(2)};
  EXPECT_EQ(a.distance(terms, b, live), 1u);
  EXPECT_EQ(a.distance(terms, b, live, 2), 1u);
  EXPECT_EQ(a.distance(terms, b, live, 1), std::nullopt); // not nearer than that
  EXPECT_EQ(a.distance(terms, b, {}), 0u);
  HeapState points = a;
  points.values = {block};
  EXPECT_EQ(a.distance(terms, points, live), std::nullopt);
  HeapState none = a;
  none.values = {terms.null(7)};
  EXPECT_EQ(b.distance(terms, none, live), std::nullopt);
  HeapState frees = points;
  frees.released.push_back({block, block, kNoTrace, false});
  EXPECT_EQ(points.distance(terms, frees, live), std::nullopt);
  HeapState escapes = a;
  escapes.escape(terms, block);
  EXPECT_EQ(a.distance(terms, escapes, live), std::nullopt);
  HeapState made = a;
  made.made.clear();
  EXPECT_EQ(a.distance(terms, made, live), std::nullopt);
}

TEST_F(HeapTerms, OneHeapForTwoKnowsWhatBothKnow) {
  const std::vector<uint32_t> live{0};
  HeapState a, b, c;
  a.values = {number(1)};
  b.values = {number(5)};
  a.widen(terms, b, live);
  EXPECT_EQ(a.constraints.boundsOf(terms, a.values[0]).low, 1);
  EXPECT_EQ(a.constraints.boundsOf(terms, a.values[0]).high, 5);
  // A further one stands for itself, too.
  c.values = {number(100)};
  a.widen(terms, c, live);
  EXPECT_EQ(a.constraints.boundsOf(terms, a.values[0]).low, 1);
  EXPECT_EQ(a.constraints.boundsOf(terms, a.values[0]).high, 100);
}

} // namespace
} // namespace fathom::statics::heap
