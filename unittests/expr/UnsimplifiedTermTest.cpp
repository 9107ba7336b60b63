// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// UnsimplifiedTerms: the shape does not depend on numbers, where the term's does; built again they
// are the very term.
#include "RandomTerms.h"

#include "expr/UnsimplifiedTerm.h"

#include <gtest/gtest.h>

#include <set>

using namespace fathom;
using namespace fathom::expr;
using namespace fathom::expr::test;

namespace {

struct UnsimplifiedTermTest : testing::Test {
  ExprContext c;
  UnsimplifiedTerms unsimplified{c};
  ExprPtr s = c.symbol("s", 512), n = c.symbol("n", 8);

  /// As memory is read: byte by byte.
  ExprPtr word(ExprPtr array, uint64_t offset, unsigned bytes) {
    ExprPtr e = c.read(array, offset);
    for (unsigned i = 1; i < bytes; i++) e = c.concat(c.read(array, offset + i), e);
    return e;
  }
  UnsimplifiedPtr built(Kind kind, ExprPtr a, ExprPtr b) {
    ExprPtr e = c.binary(kind, a, b);
    unsimplified.built(e, kind, {a, b});
    UnsimplifiedPtr l = unsimplified.of(e);
    EXPECT_EQ(unsimplified.instantiate(l), e);
    EXPECT_EQ(unsimplified.instantiate(l, unsimplified.constantsOf(l)), e);
    return l;
  }
  UnsimplifiedPtr isNot(UnsimplifiedPtr l) {
    UnsimplifiedPtr negated = unsimplified.negation(l);
    EXPECT_EQ(unsimplified.instantiate(negated), c.bvNot(unsimplified.instantiate(l)));
    return negated;
  }
  static uint64_t shape(UnsimplifiedPtr l) { return UnsimplifiedTerms::shape(l); }
};

// [merging23] Fig. 2: memspn(s, n, "a").
TEST_F(UnsimplifiedTermTest, ConditionsOfARoundHaveTheShapesOfTheRoundBefore) {
  std::set<uint64_t> more, end, isA, isNoA;
  for (uint64_t k : {0, 1, 2, 3, 255, 256, 300}) {
    UnsimplifiedPtr less = built(Kind::Ult, c.constant(k, 64), word(n, 0, 8));
    more.insert(shape(less));
    end.insert(shape(isNot(less)));
    UnsimplifiedPtr equal = built(Kind::Eq, word(s, k, 1), c.constant(97, 8));
    isA.insert(shape(equal));
    isNoA.insert(shape(isNot(equal)));
  }
  std::set<uint64_t> all;
  for (const auto *kind : {&more, &end, &isA, &isNoA}) {
    EXPECT_EQ(kind->size(), 1u);
    all.insert(kind->begin(), kind->end());
  }
  EXPECT_EQ(all.size(), 4u);
}

TEST_F(UnsimplifiedTermTest, NumbersDoNotMatterForAnyComparison) {
  std::set<uint64_t> all;
  for (unsigned bytes : {1, 2, 4, 8})
    for (Kind kind : {Kind::Eq, Kind::Ult, Kind::Ule, Kind::Slt, Kind::Sle})
      for (bool swapped : {false, true}) {
        std::set<uint64_t> shapes;
        for (uint64_t k : {1, 2, 3, 100, 255, 256, 300, 65535, 65536}) {
          if (bytes < 4 && k >= 127u << (8 * bytes - 8)) continue; // perhaps true or false
          ExprPtr number = c.constant(k, 8 * bytes), value = word(n, 0, bytes);
          shapes.insert(shape(built(kind, swapped ? number : value, swapped ? value : number)));
        }
        EXPECT_EQ(shapes.size(), 1u) << bytes << " bytes, kind " << static_cast<int>(kind);
        all.insert(shapes.begin(), shapes.end());
      }
  EXPECT_EQ(all.size(), 4u * 5 * 2);
}

TEST_F(UnsimplifiedTermTest, CasesOfASwitch) {
  std::set<uint64_t> is, isNot_;
  for (uint64_t k : {0, 1, 97, 256, 70000}) {
    UnsimplifiedPtr l = built(Kind::Eq, word(n, 0, 4), c.constant(k, 32));
    is.insert(shape(l));
    isNot_.insert(shape(isNot(l)));
  }
  EXPECT_EQ(is.size(), 1u);
  EXPECT_EQ(isNot_.size(), 1u);
  EXPECT_NE(is, isNot_);
}

// p < end, p an address in an object and end = begin + n.
TEST_F(UnsimplifiedTermTest, ComparisonsOfPointers) {
  ExprPtr begin = c.constant(0x10000000, 64), length = word(n, 0, 8), end = c.add(begin, length);
  unsimplified.built(end, Kind::Add, {begin, length});
  std::set<uint64_t> shapes;
  for (uint64_t k : {0, 1, 255, 256, 4096})
    shapes.insert(shape(built(Kind::Ult, c.constant(0x10000000 + k, 64), end)));
  EXPECT_EQ(shapes.size(), 1u);
}

TEST_F(UnsimplifiedTermTest, SumsWithNumbersAreTheOtherOperand) {
  ExprPtr x = word(n, 0, 8), zero = c.constant(0, 64), five = c.constant(5, 64);
  const uint64_t plain = shape(built(Kind::Eq, x, c.constant(7, 64)));
  ExprPtr more = c.add(x, five), less = c.sub(x, five);
  unsimplified.built(more, Kind::Add, {x, five});
  unsimplified.built(less, Kind::Sub, {x, five});
  EXPECT_EQ(shape(built(Kind::Eq, more, zero)), plain);
  EXPECT_EQ(shape(built(Kind::Eq, less, zero)), plain);
  ExprPtr from = c.sub(five, x);
  unsimplified.built(from, Kind::Sub, {five, x});
  EXPECT_NE(shape(built(Kind::Eq, from, zero)), plain);
}

TEST_F(UnsimplifiedTermTest, CountersOfEarlierPatternsAreNumbers) {
  ExprPtr k = word(c.symbol("k", 8), 0, 8);
  const Counters counters{k->kind() == Kind::Concat ? unsimplified.of(k)->leaf() : nullptr};
  UnsimplifiedPtr number = built(Kind::Ult, c.constant(3, 64), word(n, 0, 8));
  ExprPtr next = c.add(k, c.constant(1, 64));
  unsimplified.built(next, Kind::Add, {k, c.constant(1, 64)});
  UnsimplifiedPtr counted = built(Kind::Ult, next, word(n, 0, 8));
  EXPECT_NE(UnsimplifiedTerms::shape(number), UnsimplifiedTerms::shape(counted));
  EXPECT_EQ(UnsimplifiedTerms::shape(number, counters),
            UnsimplifiedTerms::shape(counted, counters));
  // A byte at a counter.
  UnsimplifiedPtr byte = built(Kind::Eq, c.read(s, uint64_t(4)), c.constant(97, 8));
  UnsimplifiedPtr countedByte = built(Kind::Eq, c.read(s, next), c.constant(97, 8));
  EXPECT_NE(UnsimplifiedTerms::shape(byte), UnsimplifiedTerms::shape(countedByte));
  EXPECT_EQ(UnsimplifiedTerms::shape(byte, counters),
            UnsimplifiedTerms::shape(countedByte, counters));
}

TEST_F(UnsimplifiedTermTest, OtherNumbersGiveTheConditionOfAnotherRound) {
  UnsimplifiedPtr third = built(Kind::Eq, word(s, 3, 2), c.constant(97, 16));
  EXPECT_EQ(unsimplified.constantsOf(third),
            (std::vector<ExprPtr>{c.constant(3, 64), c.constant(97, 16)}));
  ExprPtr numbers[] = {c.constant(300, 64), c.constant(0x4142, 16)};
  EXPECT_EQ(unsimplified.instantiate(third, numbers), c.eq(word(s, 300, 2), numbers[1]));
}

TEST_F(UnsimplifiedTermTest, WordsAreOneLeaf) {
  UnsimplifiedPtr l = unsimplified.of(word(s, 5, 4));
  EXPECT_EQ(l->form(), UnsimplifiedTerm::Form::Word);
  EXPECT_EQ(l->leaf(), s);
  EXPECT_EQ(l->offset(), 5u);
  EXPECT_EQ(l->width(), 32u);
  EXPECT_EQ(l, unsimplified.of(word(s, 5, 4)));
  // The bytes of another order are none.
  EXPECT_EQ(unsimplified.of(c.concat(c.read(s, uint64_t(5)), c.read(s, uint64_t(6))))->form(),
            UnsimplifiedTerm::Form::Operation);
}

TEST_F(UnsimplifiedTermTest, TermsThatNobodyNotedAreTheirOwnStructure) {
  Rng rng(11);
  RandomTerms terms(c, rng);
  for (int i = 0; i < 2000; i++) {
    ExprPtr e = terms.grow(terms.someWidth());
    UnsimplifiedPtr l = unsimplified.of(e);
    EXPECT_EQ(unsimplified.instantiate(l), e);
    EXPECT_LE(l->size(), UnsimplifiedTerms::kMaxSize);
  }
}

TEST_F(UnsimplifiedTermTest, CollectingKeepsWhatIsKnownOfTermsThatStay) {
  ExprPtr kept = c.ult(c.constant(0, 64), word(n, 0, 8));
  unsimplified.built(kept, Kind::Ult, {c.constant(0, 64), word(n, 0, 8)});
  UnsimplifiedPtr l = unsimplified.of(kept);
  UnsimplifiedPtr held = built(Kind::Ult, c.constant(77, 64), word(s, 8, 8));
  for (uint64_t k = 100; k < 200; k++) built(Kind::Ult, c.constant(k, 64), word(s, 0, 8));
  const size_t before = unsimplified.size();
  c.collect([&](auto mark) {
    const UnsimplifiedTerms::Visit visit = mark;
    visit(kept);
    unsimplified.keep(held, visit);
    unsimplified.keepKnown(visit);
  });
  unsimplified.sweep();
  EXPECT_LT(unsimplified.size() + 200, before);
  EXPECT_EQ(unsimplified.of(kept), l);
  EXPECT_EQ(l->kind(), Kind::Ult);
  EXPECT_EQ(unsimplified.instantiate(l), kept);
  EXPECT_EQ(unsimplified.instantiate(held), c.ult(c.constant(77, 64), word(s, 8, 8)));
}

} // namespace
