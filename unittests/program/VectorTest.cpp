// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors lane by lane, and first-class aggregates.
#include "Support.h"

#include <gtest/gtest.h>

using namespace fathom::program::test;

namespace {

TEST(DecodeVector, LaneByLane) {
  EXPECT_EQ(codeOf(R"(
define <2 x i32> @f(<2 x i32> %a, <2 x i32> %b) {
  %1 = add <2 x i32> %a, %b
  %2 = mul <2 x i32> %1, <i32 3, i32 4>
  ret <2 x i32> %2
}
)"),
            R"(
block 0:
0: r4 = Add32 r0, r2
1: r5 = Add32 r1, r3
2: r6 = Mul32I.32 r4, 3
3: r7 = Mul32I.32 r5, 4
4: Ret r6..7
)");
}

// Extraction names a lane; insertion into a dying vector is in place.
TEST(DecodeVector, InsertExtractConstantIndex) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(<4 x i32> %v, i32 %x) {
  %1 = insertelement <4 x i32> %v, i32 %x, i32 1
  %2 = insertelement <4 x i32> %1, i32 7, i32 2
  %3 = extractelement <4 x i32> %2, i32 1
  %4 = extractelement <4 x i32> %2, i32 2
  %5 = add i32 %3, %4
  ret i32 %5
}
)"),
            R"(
block 0:
0: r5 = Mov.32 r0
1: r6 = Mov.32 r4
2: r7 = Mov.32 r2
3: r8 = Mov.32 r3
4: r7 = Const.32 7
5: r9 = Add32 r6, r7
6: Ret r9
)");
}

TEST(DecodeVector, InsertExtractVariableIndex) {
  EXPECT_EQ(codeOf(R"(
define i64 @f(<4 x i64> %v, i64 %x, i32 %i, <2 x i128> %w) {
  %1 = insertelement <4 x i64> %v, i64 %x, i32 %i
  %2 = extractelement <4 x i64> %1, i32 %i
  %3 = extractelement <2 x i128> %w, i32 %i
  %4 = trunc i128 %3 to i64
  %5 = add i64 %2, %4
  ret i64 %5
}
)"),
            R"(
block 0:
0: CheckLane.32 r5 of 4 written
1: r10..13 = InsertElt.64 r0..3, r5, r4 lanes 4
2: CheckLane.32 r5 of 4
3: r14 = ExtractElt.64 r10..13, r5 lanes 4
4: CheckLane.32 r5 of 2
5: r15..16 = ExtractElt.128 r6..9, r5 lanes 2
6: r17 = WideTrunc.64 r15..16 from 128
7: r18 = Add64 r14, r17
8: Ret r18
)");
}

TEST(DecodeVector, Shuffle) {
  EXPECT_EQ(codeOf(R"(
define <4 x i8> @f(<2 x i8> %a, <2 x i8> %b) {
  %1 = shufflevector <2 x i8> %a, <2 x i8> %b, <4 x i32> <i32 3, i32 0, i32 poison, i32 1>
  ret <4 x i8> %1
}
)"),
            R"(
block 0:
0: r4 = Mov.8 r3
1: r5 = Mov.8 r0
2: r6 = Const.8 0
3: r7 = Mov.8 r1
4: Ret r4..7
)");
}

TEST(DecodeVector, CompareSelectCast) {
  EXPECT_EQ(codeOf(R"(
define <2 x i64> @f(<2 x i32> %a, <2 x i32> %b) {
  %1 = icmp ult <2 x i32> %a, %b
  %2 = select <2 x i1> %1, <2 x i32> %a, <2 x i32> zeroinitializer
  %3 = zext <2 x i32> %2 to <2 x i64>
  ret <2 x i64> %3
}
)"),
            R"(
block 0:
0: r4 = Ult.32 r0, r2
1: r5 = Ult.32 r1, r3
2: r8 = Const.32 0
3: r6 = Select.32 r4, r0, r8
4: r7 = Select.32 r5, r1, r8
5: r4 = ZextSym.64 r6 from 32
6: r5 = ZextSym.64 r7 from 32
7: Ret r4..5
)");
}

TEST(DecodeVector, ScalarConditionSelectsAllLanes) {
  EXPECT_EQ(codeOf(R"(
define <2 x ptr> @f(i1 %c, <2 x ptr> %a, <2 x ptr> %b) {
  %1 = select i1 %c, <2 x ptr> %a, <2 x ptr> %b
  ret <2 x ptr> %1
}
)"),
            R"(
block 0:
0: r5 = Select.64 r0, r1, r3 ptr
1: r6 = Select.64 r0, r2, r4 ptr
2: Ret r5..6
)");
}

// Between lanes of different widths, both ways.
TEST(DecodeVector, BitcastRepacks) {
  EXPECT_EQ(codeOf(R"(
define <2 x i64> @f(<4 x i32> %a, i64 %b) {
  %1 = bitcast <4 x i32> %a to <2 x i64>
  %2 = bitcast i64 %b to <4 x i16>
  store <4 x i16> %2, ptr null
  ret <2 x i64> %1
}
)"),
            R"(
block 0:
0: r5 = ZextSym.64 r0 from 32
1: r7 = ZextSym.64 r1 from 32
2: r8 = ShlI.64 r7, 32
3: r5 = Or.64 r5, r8
4: r6 = ZextSym.64 r2 from 32
5: r9 = ZextSym.64 r3 from 32
6: r10 = ShlI.64 r9, 32
7: r6 = Or.64 r6, r10
8: r11 = TruncN.16 r4
9: r10 = LShrI.64 r4, 16
10: r12 = TruncN.16 r10
11: r9 = LShrI.64 r4, 32
12: r13 = TruncN.16 r9
13: r8 = LShrI.64 r4, 48
14: r14 = TruncN.16 r8
15: r8 = Const.64 0
16: Store16 [r8], r11
17: Store16 [r8+2], r12
18: Store16 [r8+4], r13
19: Store16 [r8+6], r14
20: Ret r5..6
)");
}

TEST(DecodeVector, BitcastToWideInteger) {
  EXPECT_EQ(codeOf(R"(
define i128 @f(<2 x double> %a) {
  %1 = bitcast <2 x double> %a to i128
  ret i128 %1
}
)"),
            R"(
block 0:
0: r2..3 = WideZext.128 r0 from 64
1: r4..5 = WideZext.128 r1 from 64
2: r8..9 = WideConst.128 0:64
3: r6..7 = WideBin.128 shl r4..5, r8..9
4: r2..3 = WideBin.128 or r2..3, r6..7
5: Ret r2..3
)");
}

// The idiom of movemask: bits to an integer.
TEST(DecodeVector, BitcastOfMask) {
  EXPECT_EQ(codeOf(R"(
define i4 @f(<4 x i32> %a) {
  %1 = icmp slt <4 x i32> %a, zeroinitializer
  %2 = bitcast <4 x i1> %1 to i4
  ret i4 %2
}
)"),
            R"(
block 0:
0: r4 = SltI.32 r0, 0
1: r5 = SltI.32 r1, 0
2: r6 = SltI.32 r2, 0
3: r7 = SltI.32 r3, 0
4: r8 = ZextSym.4 r4 from 1
5: r9 = ZextSym.4 r5 from 1
6: r10 = ShlI.4 r9, 1
7: r8 = Or.4 r8, r10
8: r11 = ZextSym.4 r6 from 1
9: r12 = ShlI.4 r11, 2
10: r8 = Or.4 r8, r12
11: r13 = ZextSym.4 r7 from 1
12: r14 = ShlI.4 r13, 3
13: r8 = Or.4 r8, r14
14: Ret r8
)");
}

TEST(DecodeVector, Reductions) {
  EXPECT_EQ(codeOf(R"(
declare i32 @llvm.vector.reduce.add.v3i32(<3 x i32>)
declare i32 @llvm.vector.reduce.umax.v3i32(<3 x i32>)
declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)
define i32 @f(<3 x i32> %a, <2 x double> %d) {
  %1 = call i32 @llvm.vector.reduce.add.v3i32(<3 x i32> %a)
  %2 = call i32 @llvm.vector.reduce.umax.v3i32(<3 x i32> %a)
  %3 = call double @llvm.vector.reduce.fadd.v2f64(double -0.0, <2 x double> %d)
  store double %3, ptr null
  %4 = add i32 %1, %2
  ret i32 %4
}
)"),
            R"(
block 0:
0: r5 = Mov.32 r0
1: r5 = Add32 r5, r1
2: r5 = Add32 r5, r2
3: r6 = Mov.32 r0
4: r6 = UMax.32 r6, r1
5: r6 = UMax.32 r6, r2
6: r7 = Const.64 0x8000000000000000
7: r7 = FAdd64 r7, r3
8: r7 = FAdd64 r7, r4
9: r8 = Const.64 0
10: Store64 [r8], r7
11: r7 = Add32 r5, r6
12: Ret r7
)");
}

TEST(DecodeVector, GepOfVector) {
  EXPECT_EQ(codeOf(R"(
define <2 x ptr> @f(ptr %p, <2 x i64> %i) {
  %1 = getelementptr i32, ptr %p, <2 x i64> %i
  ret <2 x ptr> %1
}
)"),
            R"(
block 0:
0: r3 = Gep r0 + r1 * 4 + 0
1: r4 = Gep r0 + r2 * 4 + 0
2: Ret r3..4
)");
}

TEST(DecodeVector, LoadStore) {
  EXPECT_EQ(codeOf(R"(
define void @f(ptr %p) {
  %1 = load <2 x i32>, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  store <2 x i32> %1, ptr %q
  ret void
}
)"),
            R"(
block 0:
0: r1 = Load32 [r0]
1: r2 = Load32 [r0+4]
2: Store32 [r0+8], r1
3: Store32 [r0+12], r2
4: RetVoid
)");
}

// insertvalue builds in place, extractvalue names a part.
TEST(DecodeVector, StructChain) {
  EXPECT_EQ(codeOf(R"(
define { i32, { i64, ptr } } @f(i32 %a, i64 %b, ptr %p) {
  %1 = insertvalue { i32, { i64, ptr } } poison, i32 %a, 0
  %2 = insertvalue { i32, { i64, ptr } } %1, i64 %b, 1, 0
  %3 = insertvalue { i32, { i64, ptr } } %2, ptr %p, 1, 1
  ret { i32, { i64, ptr } } %3
}
)"),
            R"(
block 0:
0: r3 = Mov.32 r0
1: r4 = Const.64 0
2: r5 = Const.64 0
3: r4 = Mov.64 r1
4: r5 = Mov.64 r2
5: Ret r3..5
)");
}

TEST(DecodeVector, ExtractNested) {
  EXPECT_EQ(codeOf(R"(
define i64 @f({ i32, { i64, ptr } } %s) {
  %1 = extractvalue { i32, { i64, ptr } } %s, 1
  %2 = extractvalue { i64, ptr } %1, 0
  ret i64 %2
}
)"),
            R"(
block 0:
0: Ret r1
)");
}

TEST(DecodeVector, ScalableBad) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(ptr %p) {
  %1 = load <vscale x 4 x i32>, ptr %p
  %2 = extractelement <vscale x 4 x i32> %1, i32 0
  ret i32 %2
}
)"),
            R"(
block 0:
0: Unsupported 'unsupported: value of type <vscale x 4 x i32> (load)'
1: Unsupported 'unsupported: value of type <vscale x 4 x i32> (extractelement)'
2: Ret r2
)");
}

} // namespace
