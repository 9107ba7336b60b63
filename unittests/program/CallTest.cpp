// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, inline assembly, and intrinsics that are neither arithmetic nor memory.
#include "Support.h"

#include <gtest/gtest.h>

using namespace fathom::program::test;

namespace {

// Arguments are slots; a wide one takes two.
TEST(DecodeCall, DirectCall) {
  EXPECT_EQ(codeOf(R"(
define i32 @g(i32 %a, i128 %b, ptr %c) {
  ret i32 %a
}
define i32 @f(i128 %x, ptr %p) {
  %1 = call i32 @g(i32 7, i128 %x, ptr %p)
  ret i32 %1
}
)"),
            R"(
block 0:
0: r3 = Const.32 7
1: r4 = Call g(r3, r0, r1, r2)
2: Ret r4
)");
}

TEST(DecodeCall, CallThroughAlias) {
  EXPECT_EQ(codeOf(R"(
define i32 @g() {
  ret i32 1
}
@h = alias i32 (), ptr @g
define i32 @f() {
  %1 = call i32 @h()
  ret i32 %1
}
)"),
            R"(
block 0:
0: r0 = Call g()
1: Ret r0
)");
}

// The resolver returns one function.
TEST(DecodeCall, CallThroughIFunc) {
  EXPECT_EQ(codeOf(R"(
define i32 @g() {
  ret i32 1
}
define ptr @resolver() {
  ret ptr @g
}
@h = ifunc i32 (), ptr @resolver
define i32 @f() {
  %1 = call i32 @h()
  ret i32 %1
}
)"),
            R"(
block 0:
0: r0 = Call g()
1: Ret r0
)");
}

TEST(DecodeCall, External) {
  EXPECT_EQ(codeOf(R"(
declare ptr @malloc(i64)
define ptr @f() {
  %1 = call ptr @malloc(i64 10)
  ret ptr %1
}
)"),
            R"(
block 0:
0: r0 = Const.64 10
1: r1 = CallExternal malloc(r0)
2: Ret r1
)");
}

TEST(DecodeCall, Indirect) {
  EXPECT_EQ(codeOf(R"(
define { i64, i64 } @f(ptr %g, i32 %x) {
  %1 = call { i64, i64 } %g(i32 %x, i64 2)
  ret { i64, i64 } %1
}
)"),
            R"(
block 0:
0: r2 = Const.64 2
1: r3..4 = CallIndirect *r0(r1, r2)
2: Ret r3..4
)");
}

// The number 0, through a pointer.
TEST(DecodeCall, NullCallee) {
  EXPECT_EQ(codeOf(R"(
declare extern_weak void @absent()
define void @f() {
  call void @absent()
  ret void
}
)"),
            R"(
block 0:
0: r0 = Const.64 0
1: CallIndirect *r0()
2: RetVoid
)");
}

// Words, wide ones, structures by value, small vectors packed.
TEST(DecodeCall, VariableArguments) {
  EXPECT_EQ(codeOf(R"(
declare i32 @printf(ptr, ...)
define i32 @f(ptr %p, i32 %a, double %d, x86_fp80 %l, ptr %s, <2 x float> %v) {
  %1 = call i32 (ptr, ...) @printf(ptr %p, i32 %a, double %d, x86_fp80 %l, ptr byval([24 x i8]) align 8 %s, <2 x float> %v)
  ret i32 %1
}
)"),
            R"(
block 0:
0: r8 = ZextSym.64 r6 from 32
1: r9 = ZextSym.64 r7 from 32
2: r10 = ShlI.64 r9, 32
3: r8 = Or.64 r8, r10
4: r11 = CallExternal printf(r0 | r1:8 r2:8 r3:16 r5:24byval r8:8 )
5: Ret r11
)");
}

// Old C: the callee's own type decides; surplus arguments are dropped, missing ones never written.
TEST(DecodeCall, CallWithoutPrototype) {
  EXPECT_EQ(codeOf(R"(
define i32 @g(i32 %a, i32 %b) {
  ret i32 %a
}
define i32 @h(i32 %a) {
  ret i32 %a
}
define i32 @f(i32 %x) {
  %1 = call i32 (i32, ...) @g(i32 %x)
  %2 = call i32 (i32, i32, ...) @h(i32 %1, i32 %x)
  ret i32 %2
}
)"),
            R"(
block 0:
0: r1 = Uninit.32
1: r2 = Call g(r0, r1)
2: SurplusArguments h 2 1
3: r1 = Call h(r2)
4: Ret r1
)");
}

// Truncated and extended as a register is; what is of another class does not arrive.
TEST(DecodeCall, ArgumentsOfAnotherWidth) {
  EXPECT_EQ(codeOf(R"(
define i32 @g(i32 %a, i64 %b, double %c) {
  ret i32 %a
}
define i32 @f(i64 %x, i32 %y) {
  %1 = call i32 @g(i64 %x, i32 %y, i64 %x)
  ret i32 %1
}
)"),
            R"(
block 0:
0: r2 = TruncN.32 r0
1: r3 = ZextSym.64 r1 from 32
2: r4 = Uninit.64
3: r5 = Call g(r2, r3, r4)
4: Ret r5
)");
}

TEST(DecodeCall, ResultOfAnotherWidth) {
  EXPECT_EQ(codeOf(R"(
define i64 @g() {
  ret i64 5
}
define i32 @f() {
  %1 = call i32 @g()
  ret i32 %1
}
)"),
            R"(
block 0:
0: r1 = Call g()
1: r0 = TruncN.32 r1
2: Ret r0
)");
}

TEST(DecodeCall, CallWithoutPrototypeOfVariadic) {
  EXPECT_EQ(codeOf(R"(
declare i32 @printf(ptr, ...)
define i32 @f(ptr %p, i32 %x) {
  %1 = call i32 @printf(ptr %p, i32 %x)
  ret i32 %1
}
)"),
            R"(
block 0:
0: r2 = CallExternal printf(r0 | r1:8 )
1: Ret r2
)");
}

// The result goes to scratch slots.
TEST(DecodeCall, ResultThatTheCallerDoesNotKnow) {
  EXPECT_EQ(codeOf(R"(
define i32 @g() {
  ret i32 5
}
define void @f() {
  call void @g()
  ret void
}
)"),
            R"(
block 0:
0: r0 = Call g()
1: RetVoid
)");
}

TEST(DecodeCall, ResultThatTheCalleeDoesNotHave) {
  EXPECT_EQ(codeOf(R"(
define void @g() {
  ret void
}
define i32 @f() {
  %1 = call i32 @g()
  ret i32 %1
}
)"),
            R"(
block 0:
0: Call g()
1: r0 = Uninit.32
2: Ret r0
)");
}

TEST(DecodeCall, UndefArgument) {
  EXPECT_EQ(codeOf(R"(
define i32 @g(i32 %a) {
  ret i32 %a
}
define i32 @f() {
  %1 = call i32 @g(i32 undef)
  %2 = freeze i32 undef
  %3 = add i32 %1, %2
  ret i32 %3
}
)"),
            R"(
block 0:
0: r0 = Uninit.32
1: r1 = Call g(r0)
2: r0 = Add32I.32 r1, 0
3: Ret r0
)");
}

// Empty templates and hints; tied operands pass through.
TEST(DecodeCall, AsmBarriers) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %x, ptr %p) {
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "rep; nop", "~{memory}"()
  call void asm sideeffect "pause # spin", ""()
  %1 = call i32 asm "", "=r,0"(i32 %x)
  %2 = call { i32, ptr } asm "", "=r,=r,0,1"(i32 %1, ptr %p)
  %3 = extractvalue { i32, ptr } %2, 0
  ret i32 %3
}
)"),
            R"(
block 0:
0: AsmBarrier
1: AsmBarrier
2: AsmBarrier
3: AsmBarrier
4: r2 = Mov.32 r0
5: AsmBarrier
6: r3 = Mov.32 r2
7: r4 = Mov.64 r1
8: Ret r3
)");
}

// A processor without features: programs take their portable variants.
TEST(DecodeCall, AsmCpuid) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %x) {
  %1 = call { i32, i32, i32, i32 } asm "  xchgq  %rbx,${1:q}\0A  cpuid\0A  xchgq  %rbx,${1:q}", "={ax},=r,={cx},={dx},0,2"(i32 %x, i32 0)
  %2 = extractvalue { i32, i32, i32, i32 } %1, 2
  ret i32 %2
}
)"),
            R"(
block 0:
0: r1 = Const.32 0
1: r2 = Const.32 0
2: r3 = Const.32 0
3: r4 = Const.32 0
4: Ret r3
)");
}

// Instructions on general registers have a meaning.
TEST(DecodeCall, AsmTranslated) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %x) {
  %1 = call i32 asm "bsfl $1,$0", "=r,r"(i32 %x)
  ret i32 %1
}
)"),
            R"(
block 0:
0: r1 = Cttz.32 r0
1: Ret r1
)");
}

// What was never written is not read, and what an instruction leaves undefined is not used: the
// statement stays as it is.
TEST(DecodeCall, AsmUndefined) {
  for (const char *text :
       {"addl $1,$0", "mull $1; setz $0", "movl %eax,$0", "rcll $$3,$1; movl $1,$0"})
    EXPECT_NE(codeOf("define i32 @f(i32 %x) {\n  %1 = call i32 asm \"" + std::string(text) +
                     "\", \"=r,r\"(i32 %x)\n  ret i32 %1\n}\n")
                  .find("unsupported: inline assembly"),
              std::string::npos)
        << text;
}

// The message has the text.
TEST(DecodeCall, AsmBad) {
  EXPECT_EQ(codeOf(R"(
define i32 @f(i32 %x) {
  %1 = call i32 asm "crc32l $1,$0", "=r,r"(i32 %x)
  ret i32 %1
}
)"),
            R"(
block 0:
0: Unsupported 'unsupported: inline assembly "crc32l $1,$0"'
1: Ret r1
)");
}

// On one line.
TEST(DecodeCall, AsmOfSeveralLinesBad) {
  EXPECT_EQ(codeOf(R"(
define void @f() {
  call void asm sideeffect "cli\0A\09mov\09%eax, %ebx\0A", ""()
  ret void
}
)"),
            R"(
block 0:
0: Unsupported 'unsupported: inline assembly "cli; mov %eax, %ebx"'
1: RetVoid
)");
}

TEST(DecodeCall, UnknownIntrinsicBad) {
  EXPECT_EQ(codeOf(R"(
declare i64 @llvm.x86.rdpmc(i32)
define i64 @f() {
  %1 = call i64 @llvm.x86.rdpmc(i32 0)
  ret i64 %1
}
)"),
            R"(
block 0:
0: Unsupported 'unsupported: intrinsic llvm.x86.rdpmc'
1: Ret r0
)");
}

TEST(DecodeCall, IntrinsicsWithoutAnOperation) {
  EXPECT_EQ(codeOf(R"(
declare i1 @llvm.expect.i1(i1, i1)
declare void @llvm.assume(i1)
declare i1 @llvm.is.constant.i32(i32)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare ptr @llvm.frameaddress.p0(i32)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
@t = thread_local global i32 1
define i32 @f(i1 %c, i32 %x, ptr %p) {
  %1 = call i1 @llvm.expect.i1(i1 %c, i1 false)
  call void @llvm.assume(i1 %1)
  %2 = call i1 @llvm.is.constant.i32(i32 %x)
  %3 = and i1 %1, %2
  store i1 %3, ptr %p
  %4 = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  store i64 %4, ptr %p
  %5 = call ptr @llvm.frameaddress.p0(i32 0)
  store ptr %5, ptr %p
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %6 = call ptr @llvm.threadlocal.address.p0(ptr @t)
  %7 = load i32, ptr %6
  ret i32 %7
}
)"),
            R"(
block 0:
0: r3 = Alloca 16 align 16 'frame'
1: Store64I [r3], 0
2: Store64I [r3+8], 0
3: r4 = AndI.1 r0, 0
4: StoreN.1 [r2], r4 bytes 1
5: Store64I [r2], 0xffffffffffffffff
6: Store64 [r2], r3 ptr
7: r3 = ThreadLocal.64 0x2a0000280000
8: r4 = Load32 [r3]
9: Ret r4
)");
}

// Exceptions are not modelled: an invoke returns normally.
TEST(DecodeCall, InvokeGoesOn) {
  EXPECT_EQ(codeOf(R"(
declare i32 @__gxx_personality_v0(...)
declare i32 @g()
define i32 @f() personality ptr @__gxx_personality_v0 {
  %1 = invoke i32 @g() to label %ok unwind label %bad
ok:
  ret i32 %1
bad:
  %2 = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %2
}
)"),
            R"(
block 0:
0: r0 = CallExternal g()
block 1:
1: Ret r0
)");
}

} // namespace
