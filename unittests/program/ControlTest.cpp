// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches, phis, switches, returns, slot sharing, and locals turned into values.
#include "Support.h"

#include <gtest/gtest.h>

using namespace fathom::program::test;

namespace {

// The block that follows is reached by falling into it.
TEST(DecodeControl, BranchAndFallThrough) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  ret i32 1
}
)"),
            R"(
block 0:
0: CondJmp r0 ? @1 : @2 branch 0 own
block 1:
1: Jmp @2
block 2:
2: r1 = Const.32 1
3: Ret r1
)");
}

// A conditional edge into a block with phis gets a stub of its own.
TEST(DecodeControl, PhiCopiesOnEdges) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i1 %c, i32 %x) {
entry:
  %y = add i32 %x, 1
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %p = phi i32 [ %y, %entry ], [ 7, %a ]
  ret i32 %p
}
)"),
            R"(
block 0:
0: r2 = Add32I.32 r1, 1
1: CondJmp r0 ? @4 : @2 branch 0 own
2: r0 = Mov.32 r2
3: Jmp @5
block 1:
4: r0 = Const.32 7
block 2:
5: Ret r0
)");
}

// A cycle of copies needs one scratch slot.
TEST(DecodeControl, PhiSwap) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %x, i32 %y, i1 %c) {
entry:
  br label %loop
loop:
  %a = phi i32 [ %x, %entry ], [ %b, %loop ]
  %b = phi i32 [ %y, %entry ], [ %a, %loop ]
  br i1 %c, label %loop, label %done
done:
  %r = sub i32 %a, %b
  ret i32 %r
}
)"),
            R"(
block 0:
0: r3 = Mov.32 r0
1: r0 = Mov.32 r1
block 1:
2: CondJmp r2 ? @3 : @7 branch 0 own
3: r4 = Mov.32 r3
4: r3 = Mov.32 r0
5: r0 = Mov.32 r4
6: Jmp @2
block 2:
7: r4 = Sub32 r3, r0
8: Ret r4
)");
}

// Three in a cycle, one that only reads.
TEST(DecodeControl, PhiRotationAndChain) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i1 %c) {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %d, %loop ]
  %d = phi i32 [ 3, %entry ], [ %a, %loop ]
  %e = phi i32 [ 4, %entry ], [ %a, %loop ]
  br i1 %c, label %loop, label %done
done:
  %1 = add i32 %a, %b
  %2 = add i32 %1, %d
  %3 = add i32 %2, %e
  ret i32 %3
}
)"),
            R"(
block 0:
0: r1 = Const.32 1
1: r2 = Const.32 2
2: r3 = Const.32 3
3: r4 = Const.32 4
block 1:
4: CondJmp r0 ? @5 : @11 branch 0 own
5: r4 = Mov.32 r1
6: r5 = Mov.32 r1
7: r1 = Mov.32 r2
8: r2 = Mov.32 r3
9: r3 = Mov.32 r5
10: Jmp @4
block 2:
11: r5 = Add32 r1, r2
12: r6 = Add32 r5, r3
13: r5 = Add32 r6, r4
14: Ret r5
)");
}

TEST(DecodeControl, PhiWideSwap) {
  EXPECT_EQ(codeOf(R"(
define i128 @f(i128 %x, i128 %y, i1 %c) {
entry:
  br label %loop
loop:
  %a = phi i128 [ %x, %entry ], [ %b, %loop ]
  %b = phi i128 [ %y, %entry ], [ %a, %loop ]
  br i1 %c, label %loop, label %done
done:
  %r = sub i128 %a, %b
  ret i128 %r
}
)"),
            R"(
block 0:
0: r5..6 = WideMov.128 r0..1
1: r0..1 = WideMov.128 r2..3
block 1:
2: CondJmp r4 ? @3 : @7 branch 0 own
3: r7..8 = WideMov.128 r5..6
4: r5..6 = WideMov.128 r0..1
5: r0..1 = WideMov.128 r7..8
6: Jmp @2
block 2:
7: r7..8 = WideBin.128 sub r5..6, r0..1
8: Ret r7..8
)");
}

TEST(DecodeControl, PhiOfUndefIsZero) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %p = phi i32 [ undef, %entry ], [ 7, %a ]
  ret i32 %p
}
)"),
            R"(
block 0:
0: CondJmp r0 ? @3 : @1 branch 0 own
1: r0 = Const.32 0
2: Jmp @4
block 1:
3: r0 = Const.32 7
block 2:
4: Ret r0
)");
}

// A constant that a loop needs in a slot is loaded at entry.
TEST(DecodeControl, LoopConstantsAreLoadedOnce) {
  EXPECT_EQ(codeOf(R"(
define void @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 100, %entry ], [ %j, %loop ]
  %j = udiv i32 %i, 10
  %c = icmp ne i32 %j, 0
  br i1 %c, label %loop, label %done
done:
  ret void
}
)"),
            R"(
block 0:
0: r1 = Const.32 10
1: r0 = Const.32 100
block 1:
2: r0 = UDiv.32 r0, r1
3: r2 = NeI.32 r0, 0
4: CondJmp r2 ? @2 : @5 branch 0 own
block 2:
5: RetVoid
)");
}

// Sides are distinct targets, numbered as they come; values are sorted.
TEST(DecodeControl, SwitchSides) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i8 %x) {
entry:
  switch i8 %x, label %d [ i8 -1, label %a
                           i8 3, label %b
                           i8 1, label %a ]
a:
  ret i32 1
b:
  ret i32 2
d:
  ret i32 3
}
)"),
            R"(
block 0:
0: Switch.8 r0 { 1: @1#1 3: @3#2 255: @1#1 default: @5 } branch 0 own
block 1:
1: r1 = Const.32 1
2: Ret r1
block 2:
3: r1 = Const.32 2
4: Ret r1
block 3:
5: r1 = Const.32 3
6: Ret r1
)");
}

// One stub per target, also when several cases go there.
TEST(DecodeControl, SwitchIntoPhi) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %x) {
entry:
  switch i32 %x, label %d [ i32 5, label %j
                            i32 6, label %j ]
d:
  br label %j
j:
  %p = phi i32 [ 1, %entry ], [ 1, %entry ], [ 2, %d ]
  ret i32 %p
}
)"),
            R"(
block 0:
0: Switch.32 r0 { 5: @1#1 6: @1#1 default: @3 } branch 0 own
1: r0 = Const.32 1
2: Jmp @4
block 1:
3: r0 = Const.32 2
block 2:
4: Ret r0
)");
}

// A switch on the number of the case that matches.
TEST(DecodeControl, SwitchOnWideValue) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i128 %x) {
entry:
  switch i128 %x, label %d [ i128 18446744073709551616, label %a
                             i128 5, label %b ]
a:
  ret i32 1
b:
  ret i32 2
d:
  ret i32 3
}
)"),
            R"(
block 0:
0: r2 = Const.64 0
1: r4..5 = WideConst.128 1:0
2: r3 = WideCmp.128 eq r0..1, r4..5
3: r6 = Const.64 1
4: r2 = Select.64 r3, r6, r2
5: r7..8 = WideConst.128 0:5
6: r3 = WideCmp.128 eq r0..1, r7..8
7: r9 = Const.64 2
8: r2 = Select.64 r3, r9, r2
9: Switch.64 r2 { 1: @10#1 2: @12#2 default: @14 } branch 0 own
block 1:
10: r2 = Const.32 1
11: Ret r2
block 2:
12: r2 = Const.32 2
13: Ret r2
block 3:
14: r2 = Const.32 3
15: Ret r2
)");
}

TEST(DecodeControl, IndirectBranch) {
  EXPECT_EQ(codeOf(R"(
@t = constant [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]
define i32 @f(i64 %i) {
entry:
  %p = getelementptr [2 x ptr], ptr @t, i64 0, i64 %i
  %q = load ptr, ptr %p
  indirectbr ptr %q, [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
}
)"),
            R"(
block 0:
0: r2 = Const.64 0x2a0000280000
1: r1 = Gep r2 + r0 * 8 + 0
2: r3 = Load64 [r1] ptr
3: IndirectBr r3 { 0x40000000010: @4 0x40000000020: @6 }
block 1:
4: r1 = Const.32 1
5: Ret r1
block 2:
6: r1 = Const.32 2
7: Ret r1
)");
}

// They need not make sense.
TEST(DecodeControl, UnreachableBlocksAreLeftOut) {
  EXPECT_EQ(codeOf(R"(
define i32 @f() {
entry:
  ret i32 0
dead:
  %x = add i32 %x, 1
  br label %dead
}
)"),
            R"(
block 0:
0: r0 = Const.32 0
1: Ret r0
)");
}

TEST(DecodeControl, Traps) {
  EXPECT_EQ(codeOf(R"(
declare void @llvm.trap()
declare void @llvm.ubsantrap(i8)
define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  call void @llvm.trap()
  unreachable
b:
  call void @llvm.ubsantrap(i8 7)
  unreachable
}
)"),
            R"(
block 0:
0: CondJmp r0 ? @1 : @3 branch 0 own
block 1:
1: Trap
2: Unreachable
block 2:
3: Trap 7
4: Unreachable
)");
}

TEST(DecodeControl, ReturnOfConstantAggregate) {
  EXPECT_EQ(codeOf(R"(
define { i64, i8 } @f() {
  ret { i64, i8 } { i64 5, i8 6 }
}
)"),
            R"(
block 0:
0: r0 = Const.64 5
1: r1 = Const.8 6
2: Ret r0..1
)");
}

// Temporaries share two slots; only what crosses a block keeps its own.
TEST(DecodeControl, SlotsAreReusedWithinABlock) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %x) {
entry:
  %1 = add i32 %x, 1
  %2 = mul i32 %1, %1
  %3 = add i32 %2, 2
  %4 = mul i32 %3, %3
  br label %next
next:
  %5 = add i32 %4, 5
  ret i32 %5
}
)"),
            R"(
block 0:
0: r1 = Add32I.32 r0, 1
1: r2 = Mul32 r1, r1
2: r1 = Add32I.32 r2, 2
3: r0 = Mul32 r1, r1
block 1:
4: r1 = Add32I.32 r0, 5
5: Ret r1
)");
}

// A second return finds every value where it was: no slot is shared, no variable is promoted.
TEST(DecodeControl, SetjmpKeepsEverySlot) {
  EXPECT_EQ(codeOf(R"(
declare i32 @setjmp(ptr) returns_twice
define i32 @f(ptr %b, i32 %x) {
  %v = alloca i32
  store i32 %x, ptr %v
  %1 = add i32 %x, 1
  %2 = mul i32 %1, 3
  %3 = call i32 @setjmp(ptr %b) returns_twice
  %4 = load i32, ptr %v
  %5 = add i32 %2, %3
  %6 = add i32 %5, %4
  ret i32 %6
}
)"),
            R"(
block 0:
0: r2 = Alloca 4 align 4 'v'
1: Store32 [r2], r1
2: r3 = Add32I.32 r1, 1
3: r4 = Mul32I.32 r3, 3
4: r5 = CallExternal setjmp(r0)
5: r6 = Load32 [r2]
6: r7 = Add32 r4, r5
7: r8 = Add32 r7, r6
8: Ret r8
)");
}

// The marker goes along with the value to the reads that can see it.
TEST(DecodeControl, UninitialisedVariable) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i1 %c) {
entry:
  %x = alloca i32
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %x
  br label %b
b:
  %1 = load i32, ptr %x
  ret i32 %1
}
)"),
            R"(
block 0:
0: r1 = Uninit.32 'x'
1: CondJmp r0 ? @4 : @2 branch 0 own
2: r0 = Mov.32 r1
3: Jmp @5
block 1:
4: r0 = Const.32 1
block 2:
5: Ret r0
)");
}

TEST(DecodeControl, InitialisedVariableNeedsNoMarker) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %y) {
entry:
  %x = alloca i32
  store i32 %y, ptr %x
  br label %b
b:
  %1 = load i32, ptr %x
  ret i32 %1
}
)"),
            R"(
block 0:
0: Jmp @1
block 1:
1: Ret r0
)");
}

TEST(DecodeControl, UninitialisedAgainInEveryLifetime) {
  EXPECT_EQ(codeOf(R"(
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
define i32 @f(i1 %c) {
entry:
  %x = alloca i32
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  %1 = load i32, ptr %x
  store i32 1, ptr %x
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  br i1 %c, label %loop, label %done
done:
  ret i32 %1
}
)"),
            R"(
block 0:
0: Jmp @1
block 1:
1: r1 = Uninit.32 'x'
2: CondJmp r0 ? @1 : @3 branch 0 own
block 2:
3: Ret r1
)");
}

// The next value is computed in the phi's slot.
TEST(DecodeControl, LoopCounterNeedsNoCopy) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %done
body:
  %j = add i32 %i, 1
  br label %latch
latch:
  br label %head
done:
  ret i32 %i
}
)"),
            R"(
block 0:
0: r1 = Const.32 0
block 1:
1: r2 = Slt.32 r1, r0
2: CondJmp r2 ? @3 : @5 branch 0 own
block 2:
3: r1 = Add32I.32 r1, 1
block 3:
4: Jmp @1
block 4:
5: Ret r1
)");
}

// The old value is stored after the new one was computed.
TEST(DecodeControl, OldValueReadLaterNeedsACopy) {
  EXPECT_EQ(codeOf(R"(
define void @f(i32 %n, ptr %p) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %j = add i32 %i, 1
  store i32 %i, ptr %p
  %c = icmp slt i32 %j, %n
  br i1 %c, label %head, label %done
done:
  ret void
}
)"),
            R"(
block 0:
0: r2 = Const.32 0
block 1:
1: r3 = Add32I.32 r2, 1
2: Store32 [r1], r2
3: r4 = Slt.32 r3, r0
4: CondJmp r4 ? @5 : @7 branch 0 own
5: r2 = Mov.32 r3
6: Jmp @1
block 2:
7: RetVoid
)");
}

// The jump out of the loop passes the old value on.
TEST(DecodeControl, OldValueReadAtExitNeedsACopy) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %head, label %done
done:
  ret i32 %i
}
)"),
            R"(
block 0:
0: r1 = Const.32 0
block 1:
1: r2 = Add32I.32 r1, 1
2: r3 = Slt.32 r2, r0
3: CondJmp r3 ? @4 : @6 branch 0 own
4: r1 = Mov.32 r2
5: Jmp @1
block 2:
6: Ret r1
)");
}

// The other way into the phi must not overwrite it.
TEST(DecodeControl, ValueReadBehindThePhiNeedsACopy) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %n, i1 %c) {
entry:
  %v = mul i32 %n, 3
  br i1 %c, label %a, label %join
a:
  br label %join
join:
  %p = phi i32 [ %v, %entry ], [ 5, %a ]
  %r = add i32 %p, %v
  ret i32 %r
}
)"),
            R"(
block 0:
0: r2 = Mul32I.32 r0, 3
1: CondJmp r1 ? @4 : @2 branch 0 own
2: r0 = Mov.32 r2
3: Jmp @5
block 1:
4: r0 = Const.32 5
block 2:
5: r3 = Add32 r0, r2
6: Ret r3
)");
}

} // namespace
