// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores, addresses, the stack, atomics and memory intrinsics.
#include "Support.h"

#include <gtest/gtest.h>

using namespace fathom::program::test;

namespace {

TEST(DecodeMemory, AccessWidths) {
  EXPECT_EQ(codeOf(R"(
define i64 @f(ptr %p) {
  %1 = load i8, ptr %p
  %2 = load i1, ptr %p
  %3 = load i24, ptr %p
  %4 = load i128, ptr %p
  %5 = load x86_fp80, ptr %p
  %6 = load float, ptr %p
  %7 = load volatile i64, ptr %p
  store i8 %1, ptr %p
  store i1 %2, ptr %p
  store i24 %3, ptr %p
  store i128 %4, ptr %p
  store x86_fp80 %5, ptr %p
  store float %6, ptr %p
  store ptr %p, ptr %p
  ret i64 %7
}
)"),
            R"(
block 0:
0: r1 = Load8 [r0]
1: r2 = LoadN.1 [r0] bytes 1
2: r3 = LoadN.24 [r0] bytes 3
3: r4..5 = LoadWide.128 [r0] bytes 16
4: r6..7 = LoadWide.80 [r0] bytes 10
5: r8 = Load32 [r0]
6: r9 = Load64 [r0]
7: Store8 [r0], r1
8: StoreN.1 [r0], r2 bytes 1
9: StoreN.24 [r0], r3 bytes 3
10: StoreWide.128 [r0], r4..5 bytes 16
11: StoreWide.80 [r0], r6..7 bytes 10
12: Store32 [r0], r8
13: Store64 [r0], r0 ptr
14: Ret r9
)");
}

TEST(DecodeMemory, ImmediateStores) {
  EXPECT_EQ(codeOf(R"(
define void @f(ptr %p) {
  store i8 -1, ptr %p
  store i32 7, ptr %p
  store double 1.0, ptr %p
  store ptr null, ptr %p
  store i24 5, ptr %p
  ret void
}
)"),
            R"(
block 0:
0: Store8I [r0], 255
1: Store32I [r0], 7
2: Store64I [r0], 0x3ff0000000000000
3: Store64I [r0], 0 ptr
4: r1 = Const.24 5
5: StoreN.24 [r0], r1 bytes 3
6: RetVoid
)");
}

TEST(DecodeMemory, ConstantOffsetsFoldIntoAccesses) {
  EXPECT_EQ(codeOf(R"(
%S = type { i32, [4 x i64] }
define i64 @f(ptr %p) {
  %a = getelementptr %S, ptr %p, i64 0, i32 1, i64 2
  %1 = load i64, ptr %a
  %2 = add i64 %1, 1
  store i64 %2, ptr %a
  %b = getelementptr i8, ptr %p, i64 -8
  %3 = load i64, ptr %b
  ret i64 %3
}
)"),
            R"(
block 0:
0: r1 = Load64 [r0+24]
1: r2 = Add64I.64 r1, 1
2: Store64 [r0+24], r2
3: r2 = Load64 [r0-8]
4: Ret r2
)");
}

// The address itself is stored.
TEST(DecodeMemory, ConstantOffsetsThatEscapeDoNot) {
  EXPECT_EQ(codeOf(R"(
define void @f(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 16
  store ptr %a, ptr %a
  ret void
}
)"),
            R"(
block 0:
0: r1 = GepI r0 + 16
1: Store64 [r1], r1 ptr
2: RetVoid
)");
}

// Folding across blocks would keep the base alive for longer.
TEST(DecodeMemory, ConstantOffsetsUsedElsewhereDoNot) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 16
  br label %next
next:
  %1 = load i32, ptr %a
  ret i32 %1
}
)"),
            R"(
block 0:
0: r1 = GepI r0 + 16
block 1:
1: r2 = Load32 [r1]
2: Ret r2
)");
}

TEST(DecodeMemory, HugeOffsetsGetAnAddition) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 8589934592
  %1 = load i32, ptr %a
  ret i32 %1
}
)"),
            R"(
block 0:
0: r1 = GepI r0 + 8589934592
1: r2 = Load32 [r1]
2: Ret r2
)");
}

// sext to 64 bits that only feeds a GEP is part of it.
TEST(DecodeMemory, GepSignExtendsIntIndices) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(ptr %p, i32 %i, i64 %j) {
  %1 = sext i32 %i to i64
  %a = getelementptr [10 x i32], ptr %p, i64 %j, i64 %1
  %2 = load i32, ptr %a
  %b = getelementptr i32, ptr %p, i32 %i
  %3 = load i32, ptr %b
  %4 = add i32 %2, %3
  ret i32 %4
}
)"),
            R"(
block 0:
0: r3 = Gep r0 + r2 * 40 + 0
1: r3 = GepS32 r3 + r1 * 4 + 0
2: r4 = Load32 [r3]
3: r3 = GepS32 r0 + r1 * 4 + 0
4: r5 = Load32 [r3]
5: r3 = Add32 r4, r5
6: Ret r3
)");
}

TEST(DecodeMemory, GepExtendsOtherIndices) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(ptr %p, i16 %i) {
  %a = getelementptr i32, ptr %p, i16 %i
  %1 = load i32, ptr %a
  ret i32 %1
}
)"),
            R"(
block 0:
0: r3 = SextN.64 r1 from 16
1: r2 = Gep r0 + r3 * 4 + 0
2: r3 = Load32 [r2]
3: Ret r3
)");
}

// The inner, constant one goes into the outer one.
TEST(DecodeMemory, GepChainsCollapse) {
  EXPECT_EQ(codeOf(R"(
%S = type { i32, [4 x i64] }
define i64 @f(ptr %p, i64 %i) {
  %a = getelementptr %S, ptr %p, i32 0, i32 1
  %b = getelementptr [4 x i64], ptr %a, i64 0, i64 %i
  %1 = load i64, ptr %b
  ret i64 %1
}
)"),
            R"(
block 0:
0: r2 = Gep r0 + r1 * 8 + 8
1: r3 = Load64 [r2]
2: Ret r3
)");
}

// Accesses within one global share its address.
TEST(DecodeMemory, GlobalsAreNumbers) {
  EXPECT_EQ(codeOf(R"(
%S = type { i32, [4 x i64] }
@g = global %S zeroinitializer
define i64 @f() {
  %1 = load i64, ptr getelementptr (%S, ptr @g, i64 0, i32 1, i64 3)
  store i64 %1, ptr getelementptr (%S, ptr @g, i64 0, i32 1, i64 2)
  store ptr getelementptr (i8, ptr @g, i64 4), ptr @g
  ret i64 ptrtoint (ptr getelementptr (i8, ptr @g, i64 1) to i64)
}
)"),
            R"(
block 0:
0: r0 = Const.64 0x2a0000280000
1: r1 = Load64 [r0+32]
2: Store64 [r0+24], r1
3: Store64I [r0], 0x2a0000280004 ptr
4: r1 = Const.64 0x2a0000280001
5: Ret r1
)");
}

// Sizes, alignments, a variable number of elements.
TEST(DecodeMemory, Allocas) {
  EXPECT_EQ(codeOf(R"(
define void @f(i32 %n, ptr %q) {
  %a = alloca [3 x i32], align 16
  %b = alloca i64, i32 %n, align 8
  %c = alloca i8, i64 0, align 1
  store ptr %a, ptr %q
  store ptr %b, ptr %q
  store ptr %c, ptr %q
  ret void
}
)"),
            R"(
block 0:
0: r2 = Alloca 12 align 16 'a'
1: r4 = ZextSym.64 r0 from 32
2: r3 = AllocaDyn r4 * 8 align 8 'b'
3: r4 = Alloca 0 align 1 'c'
4: Store64 [r1], r2 ptr
5: Store64 [r1], r3 ptr
6: Store64 [r1], r4 ptr
7: RetVoid
)");
}

TEST(DecodeMemory, AggregatesFieldByField) {
  EXPECT_EQ(codeOf(R"(
define { i32, i64 } @f(ptr %p) {
  %1 = load { i32, i64 }, ptr %p
  %q = getelementptr i8, ptr %p, i64 32
  store { i32, i64 } %1, ptr %q
  ret { i32, i64 } %1
}
)"),
            R"(
block 0:
0: r1 = Load32 [r0]
1: r2 = Load64 [r0+8]
2: Store32 [r0+32], r1
3: Store64 [r0+40], r2
4: Ret r1..2
)");
}

TEST(DecodeMemory, VectorsOfBitsArePacked) {
  EXPECT_EQ(codeOf(R"(
define void @f(ptr %p, ptr %q) {
  %1 = load <3 x i1>, ptr %p
  store <3 x i1> %1, ptr %q
  ret void
}
)"),
            R"(
block 0:
0: r5 = LoadN.3 [r0] bytes 1
1: r2 = TruncN.1 r5
2: r6 = LShrI.3 r5, 1
3: r3 = TruncN.1 r6
4: r7 = LShrI.3 r5, 2
5: r4 = TruncN.1 r7
6: r7 = ZextSym.3 r2 from 1
7: r6 = ZextSym.3 r3 from 1
8: r5 = ShlI.3 r6, 1
9: r7 = Or.3 r7, r5
10: r8 = ZextSym.3 r4 from 1
11: r9 = ShlI.3 r8, 2
12: r7 = Or.3 r7, r9
13: StoreN.3 [r1], r7 bytes 1
14: RetVoid
)");
}

TEST(DecodeMemory, AtomicsArePlainAccesses) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(ptr %p, i32 %v) {
  %1 = load atomic i32, ptr %p seq_cst, align 4
  store atomic i32 %1, ptr %p release, align 4
  fence seq_cst
  %2 = cmpxchg ptr %p, i32 %1, i32 %v seq_cst seq_cst
  %3 = extractvalue { i32, i1 } %2, 1
  %4 = zext i1 %3 to i32
  %5 = atomicrmw add ptr %p, i32 %4 seq_cst
  %6 = atomicrmw nand ptr %p, i32 %5 seq_cst
  %7 = atomicrmw umin ptr %p, i32 %6 seq_cst
  %8 = atomicrmw xchg ptr %p, i32 %7 seq_cst
  %9 = atomicrmw udec_wrap ptr %p, i32 %8 seq_cst
  ret i32 %9
}
)"),
            R"(
block 0:
0: r2 = Load32 [r0]
1: Store32 [r0], r2
2: r3 = Load32 [r0]
3: r4 = Eq.32 r3, r2
4: r5 = Select.32 r4, r1, r3
5: Store32 [r0], r5
6: r2 = ZextSym.32 r4 from 1
7: r5 = Load32 [r0]
8: r6 = Add32 r5, r2
9: Store32 [r0], r6
10: r2 = Load32 [r0]
11: r6 = And.32 r2, r5
12: r6 = XorI.32 r6, 0xffffffff
13: Store32 [r0], r6
14: r5 = Load32 [r0]
15: r6 = UMin.32 r5, r2
16: Store32 [r0], r6
17: r2 = Load32 [r0]
18: Store32 [r0], r5
19: r5 = Load32 [r0]
20: r7 = EqI.32 r5, 0
21: r8 = Ult.32 r2, r5
22: r7 = Or.1 r7, r8
23: r6 = Add32I.32 r5, 0xffffffff
24: r6 = Select.32 r7, r2, r6
25: Store32 [r0], r6
26: Ret r5
)");
}

TEST(DecodeMemory, AtomicFloat) {
  EXPECT_EQ(codeOf(R"(
define double @f(ptr %p, double %v) {
  %1 = atomicrmw fadd ptr %p, double %v seq_cst
  %2 = atomicrmw fmax ptr %p, double %1 seq_cst
  ret double %2
}
)"),
            R"(
block 0:
0: r2 = Load64 [r0]
1: r3 = FAdd64 r2, r1
2: Store64 [r0], r3
3: r3 = Load64 [r0]
4: r4 = FMath2.double maxnum r3, r2
5: Store64 [r0], r4
6: Ret r3
)");
}

TEST(DecodeMemory, MemoryIntrinsics) {
  EXPECT_EQ(codeOf(R"(
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
define void @f(ptr %p, ptr %q, i32 %n) {
  %a = alloca [8 x i8]
  call void @llvm.lifetime.start.p0(i64 8, ptr %a)
  %s = call ptr @llvm.stacksave.p0()
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %q, i64 8, i1 false)
  call void @llvm.memmove.p0.p0.i32(ptr %p, ptr %a, i32 %n, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 1, i64 4, i1 false)
  call void @llvm.stackrestore.p0(ptr %s)
  call void @llvm.lifetime.end.p0(i64 8, ptr %a)
  ret void
}
)"),
            R"(
block 0:
0: r3 = Alloca 8 align 1 'a'
1: r4 = StackSave
2: r5 = Const.64 8
3: MemCpy r3, r1, r5
4: r6 = ZextSym.64 r2 from 32
5: MemMove r0, r3, r6
6: r6 = Const.8 1
7: r7 = Const.64 4
8: MemSet r0, r6, r7
9: StackRestore r4
10: RetVoid
)");
}

// Lifetimes as debug information tells them: of a variable whose address is taken, in a block that
// is entered again and again. A block that a jump can enter from inside of it is entered all the
// same.
TEST(DecodeMemory, ScopesOfVariables) {
  EXPECT_EQ(codeOf(R"(
declare void @g(ptr)
define void @f(i1 %c) !dbg !5 {
entry:
  %x = alloca i32
    #dbg_declare(ptr %x, !7, !DIExpression(), !10)
  br label %loop, !dbg !9
loop:
  br i1 %c, label %body, label %out, !dbg !9
body:
  call void @g(ptr %x), !dbg !10
  br i1 %c, label %body, label %loop, !dbg !10
out:
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 7, !"Dwarf Version", i32 4}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !{})
!7 = !DILocalVariable(name: "x", scope: !8, file: !1, line: 3, type: !11)
!8 = distinct !DILexicalBlock(scope: !5, file: !1, line: 2)
!9 = !DILocation(line: 2, scope: !5)
!10 = !DILocation(line: 3, scope: !8)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
)"),
            R"(
block 0:
0: r1 = Alloca 4 align 4 'x'
block 1:
1: LifetimeEnd r1
2: CondJmp r0 ? @3 : @6 branch 0 own
block 2:
3: LifetimeStart r1
4: CallExternal g(r1)
5: CondJmp r0 ? @3 : @1 branch 1 own
block 3:
6: RetVoid
)");
}

TEST(DecodeMemory, VariableArguments) {
  EXPECT_EQ(codeOf(R"(
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)
define i32 @f(i32 %n, ...) {
  %ap = alloca [24 x i8], align 16
  %aq = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %ap)
  call void @llvm.va_copy.p0.p0(ptr %aq, ptr %ap)
  %1 = va_arg ptr %aq, i32
  %2 = va_arg ptr %aq, i128
  store i128 %2, ptr null
  call void @llvm.va_end.p0(ptr %ap)
  ret i32 %1
}
)"),
            R"(
block 0:
0: r1 = Alloca 24 align 16 'ap'
1: r2 = Alloca 24 align 16 'aq'
2: VaStart r1
3: VaCopy r2, r1
4: r3 = Load64 [r2+8] ptr
5: r4 = Load32 [r3]
6: r3 = GepI r3 + 8
7: Store64 [r2+8], r3 ptr
8: r3 = Load64 [r2+8] ptr
9: r3 = GepI r3 + 15
10: r3 = AndI.64 r3, 0xfffffffffffffff0
11: r5..6 = LoadWide.128 [r3] bytes 16
12: r3 = GepI r3 + 16
13: Store64 [r2+8], r3 ptr
14: r2 = Const.64 0
15: StoreWide.128 [r2], r5..6 bytes 16
16: VaEnd r1
17: Ret r4
)");
}

// Lanes that are off must not touch memory; these jumps are no branches of the program.
TEST(DecodeMemory, MaskedStore) {
  EXPECT_EQ(codeOf(R"(
declare void @llvm.masked.store.v2i32.p0(<2 x i32>, ptr, i32, <2 x i1>)
define void @f(<2 x i32> %v, ptr %p, <2 x i1> %m) {
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %v, ptr %p, i32 4, <2 x i1> %m)
  ret void
}
)"),
            R"(
block 0:
0: CondJmp r3 ? @1 : @2
1: Store32 [r2], r0
2: CondJmp r4 ? @3 : @4
3: Store32 [r2+4], r1
4: RetVoid
)");
}

TEST(DecodeMemory, MaskedLoadConstantMask) {
  EXPECT_EQ(codeOf(R"(
declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, i32, <2 x i1>, <2 x i32>)
define <2 x i32> @f(ptr %p) {
  %1 = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr %p, i32 4, <2 x i1> <i1 false, i1 true>, <2 x i32> <i32 5, i32 6>)
  ret <2 x i32> %1
}
)"),
            R"(
block 0:
0: r1 = Const.32 5
1: r2 = Load32 [r0+4]
2: Ret r1..2
)");
}

} // namespace
