// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer instructions and intrinsics.
#include "Support.h"

#include <gtest/gtest.h>

using namespace fathom::program::test;

namespace {

// 32 and 64 bits have operations of their own; other widths share one.
TEST(DecodeInteger, ArithmeticByWidth) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %a, i32 %b, i64 %c, i64 %d, i7 %e, i7 %g) {
  %1 = add i32 %a, %b
  %2 = mul i64 %c, %d
  %3 = sub i7 %e, %g
  store i64 %2, ptr null
  store i7 %3, ptr null
  ret i32 %1
}
)"),
            R"(
block 0:
0: r6 = Add32 r0, r1
1: r7 = Mul64 r2, r3
2: r8 = SubN.7 r4, r5
3: r9 = Const.64 0
4: Store64 [r9], r7
5: StoreN.7 [r9], r8 bytes 1
6: Ret r6
)");
}

// nsw is what the programmer wrote; a constant subtrahend stays one.
TEST(DecodeInteger, SignedOverflowOfWrittenCode) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %a) {
  %1 = add nsw i32 %a, -1
  %2 = sub nsw i32 %1, 7
  %3 = mul nsw i32 3, %2
  ret i32 %3
}
)"),
            R"(
block 0:
0: r1 = Add32I.32 r0, 0xffffffff nsw
1: r2 = SubNI.32 r1, 7 nsw
2: r1 = Mul32I.32 r2, 3 nsw
3: Ret r1
)");
}

// Type-based alias information: clang optimised this, so nsw says nothing about the source.
TEST(DecodeInteger, SignedOverflowOfOptimisedCode) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(ptr %p) {
  %1 = load i32, ptr %p, !tbaa !0
  %2 = add nsw i32 %1, 1
  ret i32 %2
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
)"),
            R"(
block 0:
0: r1 = Load32 [r0]
1: r2 = Add32I.32 r1, 1
2: Ret r2
)");
}

// Without nsw.
TEST(DecodeInteger, SubtractionOfConstantIsAddition) {
  EXPECT_EQ(codeOf(R"(
define i8 @f(i8 %a) {
  %1 = sub i8 %a, 1
  ret i8 %1
}
)"),
            R"(
block 0:
0: r1 = AddNI.8 r0, 255
1: Ret r1
)");
}

// There is no immediate form: the divisor is loaded.
TEST(DecodeInteger, DivisionKeepsPlainForm) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %a) {
  %1 = udiv i32 %a, 10
  %2 = srem i32 %1, 10
  ret i32 %2
}
)"),
            R"(
block 0:
0: r2 = Const.32 10
1: r1 = UDiv.32 r0, r2
2: r3 = SRem.32 r1, r2
3: Ret r3
)");
}

// The immediate form needs an amount below the width; the plain one reports it.
TEST(DecodeInteger, ShiftsByTooMuchKeepPlainForm) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %a) {
  %1 = shl i32 %a, 4
  %2 = lshr i32 %1, 32
  %3 = ashr i32 %2, 31
  ret i32 %3
}
)"),
            R"(
block 0:
0: r1 = ShlI.32 r0, 4
1: r3 = Const.32 32
2: r2 = LShr.32 r1, r3
3: r1 = AShrI.32 r2, 31
4: Ret r1
)");
}

TEST(DecodeInteger, ComparisonsSwapToAvailableForms) {
  EXPECT_EQ(codeOf(R"(
define i1 @f(i32 %a, i32 %b) {
  %1 = icmp sgt i32 %a, %b
  %2 = icmp sgt i32 5, %a
  %3 = icmp uge i32 %a, %b
  %4 = xor i1 %1, %2
  %5 = and i1 %3, %4
  ret i1 %5
}
)"),
            R"(
block 0:
0: r2 = Slt.32 r1, r0
1: r3 = SltI.32 r0, 5
2: r4 = Ule.32 r1, r0
3: r5 = Xor.1 r2, r3
4: r3 = And.1 r4, r5
5: Ret r3
)");
}

TEST(DecodeInteger, PointerComparison) {
  EXPECT_EQ(codeOf(R"(
define i1 @f(ptr %p) {
  %1 = icmp eq ptr %p, null
  ret i1 %1
}
)"),
            R"(
block 0:
0: r1 = EqI.64 r0, 0 ptr
1: Ret r1
)");
}

// Extensions change the width of terms, so none of them is a plain move.
TEST(DecodeInteger, Casts) {
  EXPECT_EQ(codeOf(R"(
define i64 @f(i32 %a, i1 %b) {
  %1 = zext i32 %a to i64
  %2 = sext i1 %b to i64
  %3 = trunc i64 %1 to i16
  %4 = sext i16 %3 to i64
  %5 = xor i64 %2, %4
  ret i64 %5
}
)"),
            R"(
block 0:
0: r2 = ZextSym.64 r0 from 32
1: r3 = SextN.64 r1 from 1
2: r4 = TruncN.16 r2
3: r2 = SextN.64 r4 from 16
4: r4 = Xor.64 r3, r2
5: Ret r4
)");
}

// ptrtoint and inttoptr of 64 bits emit nothing.
TEST(DecodeInteger, PointerCastsAreFree) {
  EXPECT_EQ(codeOf(R"(
define i64 @f(ptr %p) {
  %1 = ptrtoint ptr %p to i64
  %2 = add i64 %1, 8
  %3 = inttoptr i64 %2 to ptr
  %4 = load i64, ptr %3
  ret i64 %4
}
)"),
            R"(
block 0:
0: r1 = Add64I.64 r0, 8
1: r2 = Load64 [r1]
2: Ret r2
)");
}

// More than 64 bits: slot pairs.
TEST(DecodeInteger, WideArithmetic) {
  EXPECT_EQ(codeOf(R"(
define i128 @f(i128 %a, i64 %b) {
  %1 = zext i64 %b to i128
  %2 = mul i128 %a, %1
  %3 = lshr i128 %2, 64
  %4 = trunc i128 %3 to i64
  %5 = sext i64 %4 to i128
  %6 = icmp slt i128 %5, %a
  %7 = select i1 %6, i128 %5, i128 -1
  ret i128 %7
}
)"),
            R"(
block 0:
0: r3..4 = WideZext.128 r2 from 64
1: r5..6 = WideBin.128 mul r0..1, r3..4
2: r7..8 = WideConst.128 0:64
3: r3..4 = WideBin.128 lshr r5..6, r7..8
4: r9 = WideTrunc.64 r3..4 from 128
5: r3..4 = WideSext.128 r9 from 64
6: r9 = WideCmp.128 slt r3..4, r0..1
7: r10..11 = WideConst.128 0xffffffffffffffff:0xffffffffffffffff
8: r5..6 = WideSelect.128 r9, r3..4, r10..11
9: Ret r5..6
)");
}

TEST(DecodeInteger, BeyondTheWidestIntegerBad) {
  EXPECT_EQ(codeOf(R"(
define double @f(i32 %a) {
  %1 = zext i32 %a to i256
  %2 = uitofp i256 %1 to double
  ret double %2
}
)"),
            R"(
block 0:
0: Unsupported 'unsupported: integer of 256 bits (at most 128) (zext)'
1: Unsupported 'unsupported: integer of 256 bits (at most 128) (uitofp)'
2: Ret r2
)");
}

TEST(DecodeInteger, WiderThanTwoWords) {
  EXPECT_EQ(codeOf(R"(
define i64 @f(ptr %p) {
  %1 = load i192, ptr %p
  %2 = lshr i192 %1, 64
  %3 = trunc i192 %2 to i64
  ret i64 %3
}
)"),
            R"(
block 0:
0: r1 = Load64 [r0]
1: r1 = Load64 [r0+8]
2: r2 = Load64 [r0+16]
3: r4 = Const.64 0
4: r3 = Fshr.64 r2, r1, r4
5: r1 = Fshr.64 r4, r2, r4
6: r1 = Fshr.64 r4, r4, r4
7: Ret r3
)");
}

TEST(DecodeInteger, Select) {
  EXPECT_EQ(codeOf(R"(
define ptr @f(i1 %c, ptr %p) {
  %1 = select i1 %c, ptr %p, ptr null
  ret ptr %1
}
)"),
            R"(
block 0:
0: r3 = Const.64 0
1: r2 = Select.64 r0, r1, r3 ptr
2: Ret r2
)");
}

TEST(DecodeInteger, BitIntrinsics) {
  EXPECT_EQ(codeOf(R"(
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i64 @llvm.bswap.i64(i64)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i128 @llvm.bswap.i128(i128)
define i32 @f(i32 %a, i64 %b, i128 %c) {
  %1 = call i32 @llvm.ctpop.i32(i32 %a)
  %2 = call i32 @llvm.ctlz.i32(i32 %1, i1 true)
  %3 = call i64 @llvm.bswap.i64(i64 %b)
  store i64 %3, ptr null
  %4 = call i32 @llvm.fshl.i32(i32 %a, i32 %2, i32 5)
  %5 = call i32 @llvm.abs.i32(i32 %4, i1 true)
  %6 = call i32 @llvm.smax.i32(i32 %5, i32 7)
  %7 = call i32 @llvm.usub.sat.i32(i32 %6, i32 %a)
  %8 = call i128 @llvm.bswap.i128(i128 %c)
  store i128 %8, ptr null
  ret i32 %7
}
)"),
            R"(
block 0:
0: r4 = Ctpop.32 r0
1: r5 = Ctlz.32 r4
2: r4 = Bswap.64 r1
3: r6 = Const.64 0
4: Store64 [r6], r4
5: r7 = Const.32 5
6: r4 = Fshl.32 r0, r5, r7
7: r5 = AbsN.32 r4 nsw
8: r8 = Const.32 7
9: r4 = SMax.32 r5, r8
10: r5 = USubSat.32 r4, r0
11: r9..10 = WideBit.128 Bswap r2..3
12: StoreWide.128 [r6], r9..10 bytes 16
13: Ret r5
)");
}

// Value and overflow bit lie side by side; extractvalue only names them.
TEST(DecodeInteger, OverflowIntrinsics) {
  EXPECT_EQ(codeOf(R"(
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare { i128, i1 } @llvm.umul.with.overflow.i128(i128, i128)
define i1 @f(i32 %a, i32 %b, i128 %c) {
  %1 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %2 = extractvalue { i32, i1 } %1, 0
  %3 = extractvalue { i32, i1 } %1, 1
  store i32 %2, ptr null
  %4 = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %c, i128 3)
  %5 = extractvalue { i128, i1 } %4, 1
  %6 = or i1 %3, %5
  ret i1 %6
}
)"),
            R"(
block 0:
0: r4..5 = SAddO.32 r0, r1 signed
1: r6 = Const.64 0
2: Store32 [r6], r4
3: r10..11 = WideConst.128 0:3
4: r7..9 = WideOverflow.128 mul r2..3, r10..11
5: r12 = Or.1 r5, r9
6: Ret r12
)");
}

TEST(DecodeInteger, ThreeWayComparison) {
  EXPECT_EQ(codeOf(R"(
declare i8 @llvm.scmp.i8.i32(i32, i32)
define i8 @f(i32 %a, i32 %b) {
  %1 = call i8 @llvm.scmp.i8.i32(i32 %a, i32 %b)
  ret i8 %1
}
)"),
            R"(
block 0:
0: r3 = Slt.32 r1, r0
1: r4 = Slt.32 r0, r1
2: r5 = ZextSym.8 r3 from 1
3: r6 = ZextSym.8 r4 from 1
4: r2 = SubN.8 r5, r6
5: Ret r2
)");
}

// No operation of its own: overflow, then a choice of the limit.
TEST(DecodeInteger, SaturatingWide) {
  EXPECT_EQ(codeOf(R"(
declare i128 @llvm.sadd.sat.i128(i128, i128)
define i128 @f(i128 %a, i128 %b) {
  %1 = call i128 @llvm.sadd.sat.i128(i128 %a, i128 %b)
  ret i128 %1
}
)"),
            R"(
block 0:
0: r6..8 = WideOverflow.128 add r0..1, r2..3 signed
1: r12..13 = WideConst.128 0:0
2: r9 = WideCmp.128 slt r0..1, r12..13
3: r14..15 = WideConst.128 0x8000000000000000:0
4: r16..17 = WideConst.128 0x7fffffffffffffff:0xffffffffffffffff
5: r10..11 = WideSelect.128 r9, r14..15, r16..17
6: r4..5 = WideSelect.128 r8, r10..11, r6..7
7: Ret r4..5
)");
}

// Speculative: the amount is taken modulo the width, as the processor does; constant amounts need
// nothing.
TEST(DecodeInteger, ShiftsOfOptimisedCode) {
  EXPECT_EQ(codeOf(R"(
define i64 @f(ptr %p, i64 %n) {
  %x = load i64, ptr %p, !tbaa !0
  %1 = shl i64 %x, %n
  %2 = lshr i64 %1, 3
  %c = icmp ult i64 %n, 64
  %3 = select i1 %c, i64 %2, i64 0
  ret i64 %3
}
!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"root"}
)"),
            R"(
block 0:
0: r2 = Load64 [r0]
1: r4 = AndI.64 r1, 63
2: r3 = Shl.64 r2, r4
3: r2 = LShrI.64 r3, 3
4: r3 = UltI.64 r1, 64
5: r5 = Const.64 0
6: r4 = Select.64 r3, r2, r5
7: Ret r4
)");
}

// A signed division can go wrong in two ways: the zero divisor is checked by itself.
TEST(DecodeInteger, SignedDivision) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %a, i32 %b) {
  %1 = sdiv i32 %a, %b
  %2 = srem i32 %1, 10
  ret i32 %2
}
)"),
            R"(
block 0:
0: NonZero.32 r1
1: r2 = SDiv.32 r0, r1
2: r4 = Const.32 10
3: r3 = SRem.32 r2, r4
4: Ret r3
)");
}

} // namespace
