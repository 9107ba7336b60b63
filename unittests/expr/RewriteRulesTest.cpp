// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule by rule: where it applies the result is the one written down, and Z3 proves it equal to the
// raw term; where it does not apply the operation is still there.
#include "expr/FloatBuilders.h"
#include "Prover.h"
#include "RandomTerms.h"

#include <gtest/gtest.h>

#include <functional>

using namespace fathom::expr;
using namespace fathom::expr::test;

namespace {

/// Builds terms over in[0..7] in one context, with short names for what the rules are about.
struct B {
  ExprContext &c;
  ExprPtr in;
  ExprPtr b(unsigned i) const { return c.read(in, uint64_t(i)); }
  ExprPtr k(uint64_t v, unsigned w) const { return c.constant(v, w); }
  ExprPtr z(unsigned i, unsigned w = 32) const { return c.zext(b(i), w); }
  ExprPtr s(unsigned i, unsigned w = 32) const { return c.sext(b(i), w); }
  ExprPtr word() const { return c.concat(b(3), c.concat(b(2), c.concat(b(1), b(0)))); }
  /// A word that is not made of bytes as far as rules can see.
  ExprPtr opaque(unsigned i = 0) const {
    return c.mul(c.concat(b(i), b(i + 1)), c.concat(b(i + 2), b(i + 3)));
  }
  ExprPtr half(unsigned i = 0) const { return c.concat(b(i + 1), b(i)); }
  ExprPtr p(unsigned i = 0) const { return c.ult(b(i), b(i + 1)); }
};

using Build = std::function<ExprPtr(const B &)>;
struct Rule {
  const char *name;
  Build term;
  Build want; ///< Null: does not apply; the raw term's own operation must stay.
};

class Rules : public testing::TestWithParam<Rule> {};

TEST_P(Rules, HoldsAndIsProved) {
  const Rule &rule = GetParam();
  SCOPED_TRACE(rule.name);
  ExprContext raw{{.simplify = false}}, simple;
  B rawB{raw, raw.symbol("in", 8)}, simpleB{simple, simple.symbol("in", 8)};
  ExprPtr before = rule.term(rawB), after = rule.term(simpleB);
  if (rule.want)
    EXPECT_EQ(after, rule.want(simpleB)) << toString(before) << "\nbecame " << toString(after)
                                         << "\nnot    " << toString(rule.want(simpleB));
  else
    EXPECT_EQ(after->kind(), before->kind()) << toString(before) << "\nbecame " << toString(after);
  EXPECT_EQ(Prover().equal(raw, before, simple, after, 60000), Prover::Verdict::Equal)
      << toString(after);
}

#define T(e)                                                                                       \
  [](const B &x) -> ExprPtr {                                                                      \
    auto &c = x.c;                                                                                 \
    (void)c;                                                                                       \
    return e;                                                                                      \
  }
const Rule kSlices[] = {
    {"ConcatOfAdjacentSlices",
     T(c.concat(c.extract(x.opaque(), 8, 8), c.extract(x.opaque(), 0, 8))), T(x.opaque())},
    {"ConcatOfAdjacentSlicesOverMore",
     T(c.concat(c.extract(x.opaque(), 8, 4), c.concat(c.extract(x.opaque(), 2, 6), x.b(0)))),
     T(c.concat(c.extract(x.opaque(), 2, 10), x.b(0)))},
    {"ConcatOfDistantSlices", T(c.concat(c.extract(x.opaque(), 9, 7), c.extract(x.opaque(), 0, 8))),
     nullptr},
    {"ConcatOfZero", T(c.concat(x.k(0, 8), x.b(0))), T(x.z(0, 16))},
    {"WordStoredAndLoaded",
     T(c.concat(c.extract(x.word(), 24, 8),
                c.concat(c.extract(x.word(), 16, 8), c.extract(x.word(), 0, 16)))),
     T(x.word())},
    {"ExtractOfConcatHigh", T(c.extract(x.word(), 24, 8)), T(x.b(3))},
    {"ExtractOfConcatAcross", T(c.extract(x.word(), 8, 16)), T(c.concat(x.b(2), x.b(1)))},
    {"ExtractOfZExtAbove", T(c.extract(x.z(0), 8, 8)), T(x.k(0, 8))},
    {"ExtractOfSExtAcross", T(c.extract(x.s(0), 4, 8)), T(c.sext(c.extract(x.b(0), 4, 4), 8))},
    {"ExtractOfPromotedSum", T(c.trunc(c.add(x.z(0), x.k(5, 32)), 8)), T(c.add(x.b(0), x.k(5, 8)))},
    {"SlowExtractOfOpaqueSum", T(c.extract(c.add(x.opaque(), x.opaque(2)), 4, 8)), nullptr},
    {"ExtractOfIte", T(c.extract(c.ite(x.p(), x.k(0x1234, 16), x.k(0x5678, 16)), 8, 8)),
     T(c.ite(x.p(), x.k(0x12, 8), x.k(0x56, 8)))},
    {"ShiftIsConcat", T(c.bvOr(c.shl(x.z(1), x.k(8, 32)), x.z(0))),
     T(c.zext(c.concat(x.b(1), x.b(0)), 32))},
    {"BytesAddedToWord",
     T(c.add(c.add(c.shl(x.z(3), x.k(24, 32)), c.shl(x.z(2), x.k(16, 32))),
             c.add(c.shl(x.z(1), x.k(8, 32)), x.z(0)))),
     T(x.word())},
    {"OverlappingBytesStay", T(c.bvOr(c.shl(x.z(1), x.k(7, 32)), x.z(0))),
     T(c.zext(c.bvOr(c.concat(x.b(1), x.k(0, 7)), x.z(0, 15)), 32))},
    {"PromotedSumStoredAndLoaded",
     T(c.concat(c.extract(c.add(x.z(0), x.k(5, 32)), 8, 24),
                c.extract(c.add(x.z(0), x.k(5, 32)), 0, 8))),
     T(c.add(x.z(0), x.k(5, 32)))},
    {"ExtensionStoredAndLoaded",
     T(c.concat(c.extract(x.s(0), 24, 8),
                c.concat(c.extract(x.s(0), 16, 8),
                         c.concat(c.extract(x.s(0), 8, 8), c.extract(x.s(0), 0, 8))))),
     T(x.s(0))},
    {"NotStoredAndLoaded",
     T(c.concat(c.extract(c.bvNot(x.opaque()), 8, 8), c.extract(c.bvNot(x.opaque()), 0, 8))),
     T(c.bvNot(x.opaque()))},
    {"SignBitsAbove", T(c.concat(c.sext(c.extract(x.opaque(), 15, 1), 16), x.opaque())),
     T(c.sext(x.opaque(), 32))},
};
const Rule kCompare[] = {
    {"EqConcatSplits", T(c.eq(c.concat(x.b(1), x.b(0)), x.k(0x4142, 16))),
     T(c.bvAnd(c.eq(x.b(1), x.k(0x41, 8)), c.eq(x.b(0), x.k(0x42, 8))))},
    {"EqZExtNarrows", T(c.eq(x.z(0), x.k(65, 32))), T(c.eq(x.b(0), x.k(65, 8)))},
    {"EqZExtDecided", T(c.eq(x.z(0), x.k(256, 32))), T(c.falseExpr())},
    {"EqSExtDecided", T(c.eq(x.s(0), x.k(128, 32))), T(c.falseExpr())},
    {"EqAddConst", T(c.eq(c.add(x.opaque(), x.k(7, 16)), x.k(3, 16))),
     T(c.eq(x.opaque(), x.k(65532, 16)))},
    {"EqOddMul", T(c.eq(c.mul(x.opaque(), x.k(33, 16)), x.k(66, 16))),
     T(c.eq(x.opaque(), x.k(2, 16)))},
    {"EqEvenMul", T(c.eq(c.mul(x.opaque(), x.k(34, 16)), x.k(67, 16))), T(c.falseExpr())},
    {"EqEvenMulPossible", T(c.eq(c.mul(x.opaque(), x.k(34, 16)), x.k(68, 16))), nullptr},
    {"EqIteTrue", T(c.eq(c.ite(x.p(), x.k(3, 8), x.k(4, 8)), x.k(3, 8))), T(x.p())},
    {"EqIteNone", T(c.eq(c.ite(x.p(), x.k(3, 8), x.k(4, 8)), x.k(5, 8))), T(c.falseExpr())},
    {"EqIteOneConst", T(c.eq(c.ite(x.p(), x.b(2), x.k(4, 8)), x.k(5, 8))),
     T(c.bvAnd(x.p(), c.eq(x.b(2), x.k(5, 8))))},
    {"EqOrZero", T(c.eq(c.bvOr(x.opaque(), x.opaque(2)), x.k(0, 16))),
     T(c.bvAnd(c.eq(x.opaque(), x.k(0, 16)), c.eq(x.opaque(2), x.k(0, 16))))},
    {"EqNextIndex", T(c.eq(x.opaque(), c.add(x.opaque(), x.k(1, 16)))), T(c.falseExpr())},
    {"UltZExtTrue", T(c.ult(x.z(0), x.k(256, 32))), T(c.trueExpr())},
    {"UltZExtNarrows", T(c.ult(x.z(0), x.k(255, 32))), T(c.ult(x.b(0), x.k(255, 8)))},
    {"UltSExtLow", T(c.ult(x.s(0), x.k(128, 32))), T(c.ult(x.b(0), x.k(128, 8)))},
    {"IsDigitUnsigned", T(c.ult(c.sub(x.z(0), x.k('0', 32)), x.k(10, 32))),
     T(c.ult(c.sub(x.b(0), x.k('0', 8)), x.k(10, 8)))},
    {"IsDigitSigned", T(c.ult(c.sub(x.s(0), x.k('0', 32)), x.k(10, 32))),
     T(c.ult(c.sub(x.b(0), x.k('0', 8)), x.k(10, 8)))},
    {"RangeClippedAtTop", T(c.ult(c.sub(x.z(0), x.k(250, 32)), x.k(10, 32))),
     T(c.ult(x.k(249, 8), x.b(0)))},
    {"RangeOutOfReach", T(c.ult(c.sub(x.z(0), x.k(300, 32)), x.k(10, 32))), T(c.falseExpr())},
    {"RangeWrapsSigned", T(c.ult(c.add(x.s(0), x.k(5, 32)), x.k(10, 32))),
     T(c.ult(c.add(x.b(0), x.k(5, 8)), x.k(10, 8)))},
    {"RangeWrapsUnsigned", T(c.ult(c.add(x.z(0), x.k(5, 32)), x.k(10, 32))),
     T(c.ult(x.b(0), x.k(5, 8)))},
    {"RangeOfOpaque", T(c.ult(c.add(x.opaque(), x.k(5, 16)), x.k(10, 16))), nullptr},
    {"SignedSumCompared", T(c.slt(c.add(x.s(0), x.k(-48, 32)), x.k(10, 32))),
     T(c.slt(x.b(0), x.k(58, 8)))},
    {"SignedSumMayOverflow", T(c.slt(c.add(x.s(0, 16), x.k(0x7fff, 16)), x.k(10, 16))), nullptr},
    {"WordBelowByte", T(c.ult(c.concat(x.b(1), x.b(0)), x.k(10, 16))),
     T(c.bvAnd(c.eq(x.b(1), x.k(0, 8)), c.ult(x.b(0), x.k(10, 8))))},
    {"NegativeIsSignBit", T(c.slt(x.word(), x.k(0, 32))), T(c.extract(x.b(3), 7, 1))},
    {"PositiveExtensionsUnsigned", T(c.slt(x.z(0), x.z(1))), T(c.ult(x.b(0), x.b(1)))},
    {"NotLess", T(c.bvNot(c.ult(x.opaque(), x.opaque(2)))), T(c.ule(x.opaque(2), x.opaque()))},
    {"ScaledIndex", T(c.ult(c.mul(x.z(0, 64), x.k(4, 64)), x.k(40, 64))),
     T(c.ult(x.b(0), x.k(10, 8)))},
    {"KnownBits", T(c.ult(c.bvAnd(x.opaque(), x.k(0x0f0f, 16)), x.k(0x1000, 16))), T(c.trueExpr())},
    {"SameTerm", T(c.ule(x.opaque(), x.opaque())), T(c.trueExpr())},
};
const Rule kBits[] = {
    {"AndMaskIsSlice", T(c.bvAnd(x.opaque(), x.k(0x0ff0, 16))),
     T(c.zext(c.concat(c.extract(x.opaque(), 4, 8), x.k(0, 4)), 16))},
    {"AndHoleyMask", T(c.bvAnd(x.opaque(), x.k(0x0f0f, 16))), nullptr},
    {"AndKnownBits", T(c.bvAnd(x.z(0), x.k(0xffff, 32))), T(x.z(0))},
    {"AndComplement", T(c.bvAnd(x.opaque(), c.bvNot(x.opaque()))), T(x.k(0, 16))},
    {"Absorption", T(c.bvAnd(x.opaque(), c.bvOr(x.opaque(2), x.opaque()))), T(x.opaque())},
    {"AbsorbsComplement", T(c.bvOr(x.p(), c.bvAnd(c.bvNot(x.p()), x.p(2)))),
     T(c.bvOr(x.p(), x.p(2)))},
    {"ContradictingEqualities", T(c.bvAnd(c.eq(x.b(0), x.k(1, 8)), c.eq(x.b(0), x.k(2, 8)))),
     T(c.falseExpr())},
    {"EqualityImpliesOrder", T(c.bvAnd(c.ult(x.b(0), x.k(9, 8)), c.eq(x.b(0), x.k(2, 8)))),
     T(c.eq(x.b(0), x.k(2, 8)))},
    {"DeMorgan", T(c.bvNot(c.bvOr(x.p(), x.p(2)))), T(c.bvAnd(c.bvNot(x.p()), c.bvNot(x.p(2))))},
    {"XorTwice", T(c.bvXor(x.opaque(), c.bvXor(x.opaque(2), x.opaque()))), T(x.opaque(2))},
    {"XorOnes", T(c.bvXor(x.opaque(), x.k(0xffff, 16))), T(c.bvNot(x.opaque()))},
    {"OneBitSum", T(c.add(x.p(), x.p(2))), T(c.bvXor(x.p(), x.p(2)))},
    {"OrOfCases", T(c.zext(c.bvOr(x.z(0, 16), x.k(0x20, 16)), 32)),
     T(c.zext(c.bvOr(x.b(0), x.k(0x20, 8)), 32))},
};
const Rule kArith[] = {
    {"BasedIndexMeetsConstant", T(c.add(c.concat(x.k(3, 24), x.b(0)), x.k(5, 32))),
     T(c.add(x.z(0), x.k(0x305, 32)))},
    {"BasedIndexLosesBase", T(c.add(c.concat(x.k(3, 24), x.b(0)), x.k(0xfffffd00, 32))), T(x.z(0))},
    {"BasedIndexGetsBase", T(c.add(c.concat(x.k(3, 24), x.b(0)), x.k(0x500, 32))),
     T(c.concat(x.k(8, 24), x.b(0)))},
    {"BasedIndexAndIndex",
     T(c.sub(c.add(c.concat(x.k(3, 8), x.b(0)), x.opaque(4)), x.k(0x300, 16))),
     T(c.add(x.z(0, 16), x.opaque(4)))},
    {"DifferenceOfBased", T(c.sub(c.concat(x.k(3, 24), x.b(0)), c.concat(x.k(3, 24), x.b(1)))),
     T(c.sub(x.z(0), x.z(1)))},
    {"SumOfBased", T(c.add(c.concat(x.k(3, 24), x.b(0)), c.concat(x.k(4, 24), x.b(1)))),
     T(c.add(c.add(x.z(0), x.z(1)), x.k(0x700, 32)))},
    {"SubConstIsAdd", T(c.sub(c.add(x.opaque(), x.k(9, 16)), x.k(9, 16))), T(x.opaque())},
    {"ConstantsMeet", T(c.add(c.add(x.opaque(), x.k(1, 16)), c.add(x.opaque(2), x.k(2, 16)))),
     T(c.add(c.add(x.opaque(), x.opaque(2)), x.k(3, 16)))},
    {"AddOfNegative", T(c.add(x.opaque(), c.neg(x.opaque(2)))), T(c.sub(x.opaque(), x.opaque(2)))},
    {"DifferenceOfSums", T(c.sub(c.add(x.opaque(), x.k(8, 16)), c.add(x.opaque(), x.k(3, 16)))),
     T(x.k(5, 16))},
    {"NotPlusOne", T(c.add(c.bvNot(x.opaque()), x.k(1, 16))), T(c.neg(x.opaque()))},
    {"MulPower", T(c.mul(x.opaque(), x.k(8, 16))),
     T(c.concat(c.extract(x.opaque(), 0, 13), x.k(0, 3)))},
    {"MulOther", T(c.mul(x.opaque(), x.k(6, 16))), nullptr},
    {"UDivPower", T(c.udiv(x.opaque(), x.k(8, 16))), T(c.zext(c.extract(x.opaque(), 3, 13), 16))},
    {"URemPower", T(c.urem(x.opaque(), x.k(8, 16))), T(c.zext(c.extract(x.opaque(), 0, 3), 16))},
    {"UDivNarrows", T(c.udiv(x.z(0), x.k(10, 32))), T(c.zext(c.udiv(x.b(0), x.k(10, 8)), 32))},
    {"URemByLarger", T(c.urem(x.z(0), x.k(300, 32))), T(x.z(0))},
    {"SDivOfNonNegative", T(c.sdiv(x.z(0), x.k(10, 32))),
     T(c.zext(c.udiv(x.b(0), x.k(10, 8)), 32))},
    {"SDivOfSigned", T(c.sdiv(x.s(0), x.k(8, 32))), nullptr},
    {"UDivByVariable", T(c.udiv(x.opaque(), x.opaque(2))), nullptr},
};
const Rule kIte[] = {
    {"BooleanArms", T(c.ite(x.p(), x.k(1, 32), x.k(0, 32))), T(c.zext(x.p(), 32))},
    {"SameArms", T(c.ite(x.p(), x.b(3), x.b(3))), T(x.b(3))},
    {"NestedSameCondition", T(c.ite(x.p(), c.ite(x.p(), x.b(3), x.b(4)), x.b(5))),
     T(c.ite(x.p(), x.b(3), x.b(5)))},
    {"SharedArm", T(c.ite(x.p(), x.b(3), c.ite(x.p(2), x.b(3), x.b(5)))),
     T(c.ite(c.bvOr(x.p(), x.p(2)), x.b(3), x.b(5)))},
    {"ArmsComputed", T(c.add(c.ite(x.p(), x.k(1, 8), x.k(2, 8)), x.k(3, 8))),
     T(c.ite(x.p(), x.k(4, 8), x.k(5, 8)))},
    {"EqualitySelects", T(c.ite(c.eq(x.b(0), x.k(9, 8)), x.k(9, 8), x.b(0))), T(x.b(0))},
    {"OtherArms", T(c.ite(x.p(), x.b(3), x.b(4))), nullptr},
};
std::vector<uint8_t> tableBytes() { return {5, 5, 5, 5, 9, 8, 7, 6}; }
const Rule kArrays[] = {
    {"ReadOfTable", T(c.read(c.constArray(tableBytes()), uint64_t(4))), T(x.k(9, 8))},
    {"ReadPastEnd", T(c.read(x.in, uint64_t(8))), T(x.k(0, 8))},
    {"ReadOwnStore", T(c.read(c.store(x.in, x.z(0, 64), x.b(1)), x.z(0, 64))), T(x.b(1))},
    {"ReadOtherStore", T(c.read(c.store(x.in, x.k(3, 64), x.b(1)), x.k(4, 64))), T(x.b(4))},
    {"ReadNextIndex", T(c.read(c.store(x.in, c.add(x.z(0, 64), x.k(1, 64)), x.b(1)), x.z(0, 64))),
     T(c.read(x.in, x.z(0, 64)))},
    {"ReadMaybeStore", T(c.read(c.store(x.in, x.z(0, 64), x.b(1)), x.k(4, 64))), nullptr},
    {"IndexOfFew", T(c.read(x.in, c.ite(x.p(), x.k(2, 64), x.k(3, 64)))),
     T(c.ite(x.p(), x.b(2), x.b(3)))},
    {"TableAllSame", T(c.read(c.constArray(tableBytes()), c.zext(c.extract(x.b(0), 0, 2), 64))),
     T(x.k(5, 8))},
    {"TableNotAllSame", T(c.read(c.constArray(tableBytes()), c.zext(c.extract(x.b(0), 0, 3), 64))),
     nullptr},
};
// Halves and floats where it is the rule for every width: Z3 proves what it can bit-blast in time.
const Rule kFloats[] = {
    {"WidenedAndNarrowed", T(fconvert(c, fconvert(c, x.half(), 32), 16)),
     T(c.ite(fisNaN(c, x.half()), c.bvOr(x.half(), x.k(0x200, 16)), x.half()))},
    {"NarrowedAndWidened", T(fconvert(c, fconvert(c, x.half(), 32), 64)),
     T(fconvert(c, x.half(), 64))},
    {"NarrowedFirst", T(fconvert(c, fconvert(c, x.word(), 16), 32)), nullptr},
    {"SlowPromotedSum",
     T(fconvert(c, fadd(c, fconvert(c, x.half(), 32), fconvert(c, x.z(2, 16), 32)), 16)),
     T(fadd(c, x.half(), x.z(2, 16)))},
    {"PromotedProductWithConstant",
     T(fconvert(c, fmul(c, fconvert(c, x.half(), 32), x.k(0x3fc00000, 32)), 16)), // 1.5
     T(fmul(c, x.half(), x.k(0x3e00, 16)))},
    {"PromotedSumWithWiderConstant",
     T(fconvert(c, fadd(c, fconvert(c, x.half(), 32), x.k(0x3dcccccd, 32)), 16)), nullptr}, // 0.1f
    {"SlowPromotedRoot", T(fconvert(c, fsqrt(c, fconvert(c, x.half(), 32)), 16)),
     T(fsqrt(c, x.half()))},
    {"PromotedOnce", T(fconvert(c, fadd(c, fconvert(c, x.half(), 32), x.word()), 16)), nullptr},
    {"TimesOne", T(fmul(c, fadd(c, x.half(), x.half(2)), x.k(0x3c00, 16))),
     T(fadd(c, x.half(), x.half(2)))},
    {"OneTimesBits", T(fmul(c, x.k(0x3c00, 16), x.half())),
     T(c.ite(fisNaN(c, x.half()), c.bvOr(x.half(), x.k(0x200, 16)), x.half()))},
    {"DividedByOne", T(fdiv(c, fsqrt(c, x.half()), x.k(0x3c00, 16))), T(fsqrt(c, x.half()))},
    {"PlusZero", T(fadd(c, x.half(), x.k(0, 16))), nullptr},
    {"LessThanItself", T(flt(c, x.half(), x.half())), T(c.falseExpr())},
    {"EqualToItself", T(feq(c, x.half(), x.half())), T(c.bvNot(fisNaN(c, x.half())))},
    {"SumEqualToItself", T(feq(c, fadd(c, x.half(), x.half(2)), fadd(c, x.half(), x.half(2)))),
     nullptr},
    {"LessThanNaN", T(flt(c, x.half(), x.k(0x7e01, 16))), T(c.falseExpr())},
    {"ComparedWidened", T(flt(c, fconvert(c, x.half(), 32), fconvert(c, x.half(2), 32))),
     T(flt(c, x.half(), x.half(2)))},
    {"ComparedWithConstant", T(fle(c, x.k(0x3fc00000, 32), fconvert(c, x.half(), 32))),
     T(fle(c, x.k(0x3e00, 16), x.half()))},
    {"ComparedWithWiderConstant", T(fle(c, x.k(0x3dcccccd, 32), fconvert(c, x.half(), 32))),
     nullptr},
    {"ComparedNarrowed", T(flt(c, fconvert(c, x.word(), 16), x.half())), nullptr},
    {"IntegerBelow", T(flt(c, stof(c, x.b(0), 32), x.k(0x40700000, 32))), // 3.75
     T(c.sle(x.b(0), x.k(3, 8)))},
    {"IntegerAbove", T(flt(c, x.k(0xc0700000, 32), stof(c, x.b(0), 32))), // -3.75
     T(c.slt(x.k(0xfc, 8), x.b(0)))},
    {"IntegerAtLeast", T(fle(c, x.k(0x40400000, 32), stof(c, x.b(0), 32))), // 3
     T(c.slt(x.k(2, 8), x.b(0)))},
    {"IntegerEqual", T(feq(c, utof(c, x.b(0), 32), x.k(0x43480000, 32))), // 200
     T(c.eq(x.b(0), x.k(200, 8)))},
    {"IntegerEqualToHalf", T(feq(c, stof(c, x.b(0), 32), x.k(0x3f000000, 32))), T(c.falseExpr())},
    {"IntegerBelowInfinity", T(flt(c, stof(c, x.b(0), 32), x.k(0x7f800000, 32))), T(c.trueExpr())},
    {"IntegersCompared", T(flt(c, utof(c, x.b(0), 32), utof(c, x.b(1), 32))),
     T(c.ult(x.b(0), x.b(1)))},
    {"InexactIntegersCompared", T(flt(c, stof(c, x.word(), 32), stof(c, x.b(5), 32))), nullptr},
    {"ThereAndBack", T(ftos(c, stof(c, x.b(0), 16), 32)), T(c.sext(x.b(0), 32))},
    {"UnsignedThereAndBack", T(ftos(c, utof(c, x.b(0), 16), 16)), T(c.zext(x.b(0), 16))},
    {"BackToTooFew", T(ftos(c, utof(c, x.b(0), 16), 8)), nullptr},
    {"InexactThereAndBack", T(ftos(c, stof(c, x.word(), 32), 32)), nullptr},
    {"TruncatedFirst", T(ftou(c, fround(c, Rounding::TowardZero, x.half()), 8)),
     T(ftou(c, x.half(), 8))},
    {"RoundedFirst", T(ftou(c, fround(c, Rounding::Up, x.half()), 8)), nullptr},
    {"RoundedTwice", T(fround(c, Rounding::Up, fround(c, Rounding::Down, x.half()))),
     T(fround(c, Rounding::Down, x.half()))},
    {"ExtendedInteger", T(stof(c, x.z(0), 32)), T(utof(c, x.b(0), 32))},
    {"IntegerThroughFloat", T(fconvert(c, stof(c, x.b(0), 32), 64)), T(stof(c, x.b(0), 64))},
    {"InexactIntegerThroughFloat", T(fconvert(c, stof(c, x.word(), 32), 64)), nullptr},
};
#undef T

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest looks for this name
[[maybe_unused]] void PrintTo(const Rule &rule, std::ostream *os) { *os << rule.name; }
std::string nameOf(const testing::TestParamInfo<Rule> &info) { return info.param.name; }
// Rules must not rely on what others fold: beyond the depth limit, which comparing all the arms of
// a high Ite reaches, nothing is folded.
TEST(Depth, HighItesHaveNothingBelowTheLeastValue) {
  ExprContext c;
  B b{c, c.symbol("in", 128)};
  std::vector<ExprPtr> heights{b.opaque(100)};
  for (unsigned i = 0; i < 70; ++i)
    heights.push_back(c.ite(b.p(i), b.k(1000 + 7 * i, 32), heights.back()));
  const ExprPtr zero = b.k(0, 32), most = b.k(~0u, 32), least = b.k(1u << 31, 32),
                greatest = b.k(~0u >> 1, 32);
  // The highest first: what it leaves of the lower ones is found again below.
  for (size_t i = heights.size(); i-- > 0;) {
    const ExprPtr x = heights[i];
    EXPECT_TRUE(c.bvOr(c.ult(x, zero), c.ult(most, x))->isFalse()) << i;
    EXPECT_TRUE(c.bvOr(c.slt(x, least), c.slt(greatest, x))->isFalse()) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Slices, Rules, testing::ValuesIn(kSlices), nameOf);
INSTANTIATE_TEST_SUITE_P(Compare, Rules, testing::ValuesIn(kCompare), nameOf);
INSTANTIATE_TEST_SUITE_P(Bits, Rules, testing::ValuesIn(kBits), nameOf);
INSTANTIATE_TEST_SUITE_P(Arith, Rules, testing::ValuesIn(kArith), nameOf);
INSTANTIATE_TEST_SUITE_P(Ite, Rules, testing::ValuesIn(kIte), nameOf);
INSTANTIATE_TEST_SUITE_P(Floats, Rules, testing::ValuesIn(kFloats), nameOf);
INSTANTIATE_TEST_SUITE_P(Arrays, Rules, testing::ValuesIn(kArrays), nameOf);

} // namespace
