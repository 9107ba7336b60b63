// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point.
#include "Support.h"

#include <gtest/gtest.h>

using namespace fathom::program::test;

namespace {

// double has the fast forms.
TEST(DecodeFloat, Arithmetic) {
  EXPECT_EQ(codeOf(R"(
define double @f(double %a, float %b, x86_fp80 %c, half %h) {
  %1 = fadd double %a, 1.0
  %2 = fdiv float %b, %b
  %3 = fpext float %2 to double
  %4 = fmul double %1, %3
  %5 = frem x86_fp80 %c, %c
  %6 = fptrunc x86_fp80 %5 to double
  %7 = fneg half %h
  %8 = fpext half %7 to double
  %9 = fsub double %4, %6
  %10 = fadd double %9, %8
  ret double %10
}
)"),
            R"(
block 0:
0: r6 = Const.64 0x3ff0000000000000
1: r5 = FAdd64 r0, r6
2: r7 = FDiv.float r1, r1
3: r8 = FConv.double r7 from float
4: r7 = FMul64 r5, r8
5: r9..10 = FRem.x87 r2..3, r2..3
6: r8 = FConv.double r9..10 from x87
7: r5 = FNeg.half r4
8: r11 = FConv.double r5 from half
9: r5 = FSub64 r7, r8
10: r8 = FAdd64 r5, r11
11: Ret r8
)");
}

// The predicate is LLVM's number.
TEST(DecodeFloat, Compare) {
  EXPECT_EQ(codeOf(R"(
define i1 @f(double %a, x86_fp80 %b) {
  %1 = fcmp oeq double %a, 0.0
  %2 = fcmp uno x86_fp80 %b, %b
  %3 = and i1 %1, %2
  ret i1 %3
}
)"),
            R"(
block 0:
0: r4 = Const.64 0
1: r3 = FCmp.double oeq r0, r4
2: r5 = FCmp.x87 uno r1..2, r1..2
3: r6 = And.1 r3, r5
4: Ret r6
)");
}

TEST(DecodeFloat, Conversions) {
  EXPECT_EQ(codeOf(R"(
declare i8 @llvm.fptosi.sat.i8.f32(float)
define i128 @f(double %a, i64 %b, i128 %c, x86_fp80 %d, float %e) {
  %1 = fptosi double %a to i32
  %2 = uitofp i64 %b to float
  %3 = sitofp i128 %c to double
  %4 = fptoui x86_fp80 %d to i128
  %5 = call i8 @llvm.fptosi.sat.i8.f32(float %e)
  store i32 %1, ptr null
  store float %2, ptr null
  store double %3, ptr null
  store i8 %5, ptr null
  ret i128 %4
}
)"),
            R"(
block 0:
0: r7 = FToSI.double r0 to 32
1: r8 = UIToF.float r1 from 64
2: r9 = SIToF.double r2..3 from 128
3: r10..11 = FToUI.x87 r4..5 to 128
4: r12 = FToSI.float r6 to 8 sat
5: r13 = Const.64 0
6: Store32 [r13], r7
7: Store32 [r13], r8
8: Store64 [r13], r9
9: Store8 [r13], r12
10: Ret r10..11
)");
}

TEST(DecodeFloat, MathIntrinsics) {
  EXPECT_EQ(codeOf(R"(
declare double @llvm.fabs.f64(double)
declare double @llvm.floor.f64(double)
declare float @llvm.copysign.f32(float, float)
declare double @llvm.fmuladd.f64(double, double, double)
declare i64 @llvm.lround.i64.f64(double)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare double @llvm.ldexp.f64.i32(double, i32)
define i64 @f(double %a, float %b, i32 %n) {
  %1 = call double @llvm.fabs.f64(double %a)
  %2 = call double @llvm.floor.f64(double %1)
  %3 = call float @llvm.copysign.f32(float %b, float -1.0)
  store float %3, ptr null
  %4 = call double @llvm.fmuladd.f64(double %a, double %2, double %1)
  %5 = call i1 @llvm.is.fpclass.f64(double %4, i32 3)
  store i1 %5, ptr null
  %6 = call double @llvm.ldexp.f64.i32(double %4, i32 %n)
  %7 = call i64 @llvm.lround.i64.f64(double %6)
  ret i64 %7
}
)"),
            R"(
block 0:
0: r3 = FMath1.double fabs r0
1: r4 = FMath1.double floor r3
2: r6 = Const.32 0xbf800000
3: r5 = FMath2.float copysign r1, r6
4: r7 = Const.64 0
5: Store32 [r7], r5
6: r8 = FMul64 r0, r4
7: r5 = FAdd64 r8, r3
8: r3 = FClass.double r5, 3
9: StoreN.1 [r7], r3 bytes 1
10: r3 = FLdexp.double r5, r2
11: r5 = FToInt.double lround r3 to 64
12: Ret r5
)");
}

// musl is compiled with -frounding-math.
TEST(DecodeFloat, ConstrainedIsPlain) {
  EXPECT_EQ(codeOf(R"(
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare i1 @llvm.experimental.constrained.fcmps.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.sqrt.f64(double, metadata, metadata)
declare i64 @llvm.experimental.constrained.fptosi.i64.f64(double, metadata)
define i64 @f(double %a) strictfp {
  %1 = call double @llvm.experimental.constrained.fadd.f64(double %a, double 2.0, metadata !"round.dynamic", metadata !"fpexcept.strict")
  %2 = call i1 @llvm.experimental.constrained.fcmps.f64(double %1, double %a, metadata !"olt", metadata !"fpexcept.strict")
  store i1 %2, ptr null
  %3 = call double @llvm.experimental.constrained.sqrt.f64(double %1, metadata !"round.dynamic", metadata !"fpexcept.strict")
  %4 = call i64 @llvm.experimental.constrained.fptosi.i64.f64(double %3, metadata !"fpexcept.strict")
  ret i64 %4
}
)"),
            R"(
block 0:
0: r2 = Const.64 0x4000000000000000
1: r1 = FAdd64 r0, r2
2: r3 = FCmp.double olt r1, r0
3: r4 = Const.64 0
4: StoreN.1 [r4], r3 bytes 1
5: r3 = FMath1.double sqrt r1
6: r1 = FToSI.double r3 to 64
7: Ret r1
)");
}

// An intrinsic that stands for a libm function calls the program's.
TEST(DecodeFloat, LibmCall) {
  EXPECT_EQ(codeOf(R"(
declare double @llvm.pow.f64(double, double)
declare float @llvm.sin.f32(float)
declare float @sinf(float)
define double @pow(double %x, double %y) {
  ret double %x
}
define double @f(double %a, float %b) {
  %1 = call double @llvm.pow.f64(double %a, double 2.0)
  %2 = call float @llvm.sin.f32(float %b)
  %3 = fpext float %2 to double
  %4 = fadd double %1, %3
  ret double %4
}
)"),
            R"(
block 0:
0: r2 = Const.64 0x4000000000000000
1: r3 = Call pow(r0, r2)
2: r4 = CallExternal sinf(r1)
3: r5 = FConv.double r4 from float
4: r4 = FAdd64 r3, r5
5: Ret r4
)");
}

TEST(DecodeFloat, LibmCallBad) {
  EXPECT_EQ(codeOf(R"(
declare double @llvm.exp.f64(double)
define double @f(double %a) {
  %1 = call double @llvm.exp.f64(double %a)
  ret double %1
}
)"),
            R"(
block 0:
0: Unsupported 'unsupported: llvm.exp.f64: the program has no function exp'
1: Ret r1
)");
}

TEST(DecodeFloat, QuadBad) {
  EXPECT_EQ(codeOf(R"(
define fp128 @f(fp128 %a) {
  %1 = fadd fp128 %a, %a
  ret fp128 %1
}
)"),
            R"(
block 0:
0: Unsupported 'unsupported: value of type fp128 (fadd)'
1: Unsupported 'unsupported: value of type fp128 (ret)'
)");
}

TEST(DecodeFloat, ConstantsAreBitPatterns) {
  EXPECT_EQ(codeOf(R"(
define void @f(ptr %p) {
  store half 1.0, ptr %p
  store x86_fp80 0xK3FFF8000000000000000, ptr %p
  ret void
}
)"),
            R"(
block 0:
0: Store16I [r0], 0x3c00
1: r1..2 = WideConst.80 0x3fff:0x8000000000000000
2: StoreWide.80 [r0], r1..2 bytes 10
3: RetVoid
)");
}

} // namespace
