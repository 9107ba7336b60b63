// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The module as a whole: addresses, initialisers, externals, branch numbers, source positions,
// names.
#include "Support.h"

#include "program/Address.h"
#include "program/LinkRuntime.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/SourceMgr.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace fathom::program;
using namespace fathom::program::test;

namespace {

const Global &global(const Program &p, const std::string &name) {
  auto it = p.globalIndex.find(name);
  static const Global none;
  EXPECT_NE(it, p.globalIndex.end()) << name;
  return it == p.globalIndex.end() ? none : p.globals[it->second];
}

uint64_t word(const Global &g, size_t offset) {
  uint64_t v = 0;
  if (g.init.size() >= offset + 8) std::memcpy(&v, g.init.data() + offset, 8);
  return v;
}

TEST(DecodeModule, GlobalAddressesFollowTheScheme) {
  Program p = decodeText(R"(
@small = global i8 1
@medium = global [100 x i8] zeroinitializer
@large = global [3000000 x i8] zeroinitializer
@small2 = constant i64 2
@aligned = global i8 3, align 4096
@veryAligned = global i8 3, align 8388608
)");
  EXPECT_EQ(global(p, "small").address, objectAddress(kUsualClass, 1));
  EXPECT_EQ(global(p, "medium").address, objectAddress(kUsualClass, 2));
  EXPECT_EQ(global(p, "small2").address, objectAddress(kUsualClass, 3));
  EXPECT_EQ(global(p, "large").address, objectAddress(23, 1)); // 8 MiB for 3
  EXPECT_EQ(global(p, "aligned").address % 4096, 0u);
  EXPECT_EQ(global(p, "veryAligned").address % (1 << 23), 0u);
  EXPECT_TRUE(global(p, "small2").constant);
  EXPECT_FALSE(global(p, "small").constant);
  EXPECT_TRUE(global(p, "large").init.empty());
  EXPECT_EQ(global(p, "large").sizeBytes, 3000000u);
  EXPECT_EQ(p.slotsUsed[kUsualClass], 5u);
  EXPECT_EQ(p.slotsUsed[23], 2u);
  EXPECT_EQ(p.slotsUsed[22], 1u); // none used: the next free one is 1
}

TEST(DecodeModule, InitialisersAreBytesWithAddresses) {
  Program p = decodeText(R"(
@a = global i32 258
@s = global { i8, i32, [2 x i16], ptr, double } { i8 1, i32 -2, [2 x i16] [i16 3, i16 4], ptr getelementptr (i8, ptr @a, i64 2), double 1.0 }
@f1 = global ptr @fn
@text = constant [4 x i8] c"abc\00"
@difference = global i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @a, i64 7) to i64), i64 ptrtoint (ptr @a to i64))
@bits = global <9 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1, i1 1>
@x87 = global x86_fp80 0xK3FFF8000000000000000
@undefined = global { i8, i8 } { i8 undef, i8 5 }
define void @fn() {
  ret void
}
)");
  EXPECT_EQ(global(p, "a").init, (std::vector<uint8_t>{2, 1, 0, 0}));
  const Global &s = global(p, "s");
  ASSERT_EQ(s.init.size(), 32u);
  EXPECT_EQ(s.init[0], 1);
  EXPECT_EQ(word(s, 4), 0x00040003fffffffeull);
  EXPECT_EQ(word(s, 16), global(p, "a").address + 2);
  EXPECT_EQ(word(s, 24), 0x3ff0000000000000ull);
  EXPECT_EQ(word(global(p, "f1"), 0), functionAddress(0));
  EXPECT_EQ(global(p, "text").init, (std::vector<uint8_t>{'a', 'b', 'c', 0}));
  EXPECT_EQ(word(global(p, "difference"), 0), 7u);
  EXPECT_EQ(global(p, "bits").init[0], 0x81);
  EXPECT_EQ(global(p, "bits").init[1], 1);
  EXPECT_EQ(word(global(p, "x87"), 0), 0x8000000000000000ull);
  EXPECT_EQ(global(p, "undefined").init, (std::vector<uint8_t>{0, 5}));
}

TEST(DecodeModule, UndefinedWeakSymbolsAreNull) {
  Program p = decodeText(R"(
@weak = extern_weak global i32
@p = global ptr @weak
@q = global ptr getelementptr (i8, ptr @weak, i64 4)
@f = global ptr @wf
declare extern_weak void @wf()
)");
  EXPECT_EQ(p.globalIndex.count("weak"), 0u);
  EXPECT_TRUE(global(p, "p").init.empty());
  EXPECT_EQ(word(global(p, "q"), 0), 4u);
  EXPECT_TRUE(global(p, "f").init.empty());
  EXPECT_TRUE(p.externals.empty());
}

TEST(DecodeModule, EnginesFunctionsAreThereThoughWeak) {
  Program p = decodeText(
      "declare extern_weak void @__fathom_assume(i32)\n@f = global ptr @__fathom_assume\n");
  ASSERT_EQ(p.externals.size(), 1u);
  EXPECT_EQ(word(global(p, "f"), 0), functionAddress(0));
}

TEST(DecodeModule, AliasesAndIFuncsMeanTheirTargets) {
  Program p = decodeText(R"(
@g = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@third = alias i32, getelementptr ([4 x i32], ptr @g, i64 0, i64 2)
@h = ifunc void (), ptr @resolver
@table = global [2 x ptr] [ptr @third, ptr @h]
define ptr @resolver() {
  ret ptr @impl
}
define void @impl() {
  ret void
}
)");
  EXPECT_EQ(word(global(p, "table"), 0), global(p, "g").address + 8);
  EXPECT_EQ(word(global(p, "table"), 8), functionAddress(1));
}

TEST(DecodeModule, ExternalsFollowFunctions) {
  Program p = decodeText(R"(
declare i32 @printf(ptr, ...)
declare i128 @wide(i128, i32)
define void @f() {
  ret void
}
@t = global [2 x ptr] [ptr @printf, ptr @wide]
)");
  ASSERT_EQ(p.externals.size(), 2u);
  EXPECT_EQ(p.externals[0].name, "printf");
  EXPECT_TRUE(p.externals[0].varArg);
  EXPECT_EQ(p.externals[0].address, functionAddress(1));
  EXPECT_EQ(p.externals[0].retWidthBits, 32u);
  EXPECT_EQ(p.externals[1].argSlots, 3u);
  EXPECT_EQ(p.externals[1].retSlots, 2u);
  EXPECT_EQ(word(global(p, "t"), 8), functionAddress(2));
}

TEST(DecodeModule, Parameters) {
  Program p = decodeText(R"(
define void @f(i8 %a, i128 %b, ptr byval([40 x i8]) align 16 %c, { i32, i32 } %d, float %e) {
  ret void
}
)");
  const FunctionCode &f = *p.find("f");
  ASSERT_EQ(f.params.size(), 5u);
  EXPECT_EQ(f.argSlots, 7u);
  EXPECT_EQ(f.params[0].widthBits, 8u);
  EXPECT_EQ(f.params[1].slots, 2u);
  EXPECT_EQ(f.params[2].slot, 3u);
  EXPECT_EQ(f.params[2].byvalBytes, 40u);
  EXPECT_EQ(f.params[2].byvalAlign, 16u);
  EXPECT_TRUE(f.params[2].pointer);
  EXPECT_EQ(f.params[3].widthBits, 0u); // an aggregate
  EXPECT_EQ(f.params[3].slots, 2u);
  EXPECT_EQ(f.params[4].widthBits, 32u);
}

const char *const kBranches = R"(
declare void @helper(i1)
define void @first(i1 %c) {
  br i1 %c, label %a, label %b
a:
  switch i32 5, label %b [ i32 1, label %d
                           i32 2, label %e
                           i32 3, label %b ]
b:
  ret void
d:
  ret void
e:
  ret void
}
define void @libc(i1 %c) "fathom-libc" {
  br i1 %c, label %a, label %a
a:
  ret void
}
define void @second(i1 %c) {
  br i1 %c, label %a, label %a
a:
  call void @helper(i1 %c)
  ret void
}
)";

TEST(DecodeModule, OwnBranchesComeFirst) {
  Program p = decodeText(kBranches);
  ASSERT_EQ(p.branches.size(), 4u);
  EXPECT_EQ(p.ownBranches, 3u);
  EXPECT_EQ(p.branches[0].function, p.find("first")->id);
  EXPECT_EQ(p.branches[1].function, p.find("first")->id);
  EXPECT_EQ(p.branches[1].ordinal, 1u);
  EXPECT_EQ(p.branches[1].sides, 3u);
  EXPECT_EQ(p.branches[2].function, p.find("second")->id);
  EXPECT_EQ(p.branches[2].sideBase, 5u);
  EXPECT_EQ(p.branches[3].function, p.find("libc")->id);
  EXPECT_EQ(p.ownBranchSides, 7u);
  EXPECT_EQ(p.branchSides, 9u);
}

const char *const kRuntime = R"(
define void @helper(i1 %c) {
  br i1 %c, label %a, label %a
a:
  call void @second(i1 %c)
  ret void
}
define void @second(i1 %c) {
  unreachable
}
define weak void @libc(i1 %c) {
  unreachable
}
@state = global i32 4
)";

TEST(LinkRuntime, DoesNotRenumberAndProgramWins) {
  llvm::LLVMContext context;
  auto module = parse(context, kBranches), runtime = parse(context, kRuntime);
  ASSERT_TRUE(module && runtime);
  ASSERT_FALSE(llvm::errorToBool(linkRuntime(*module, std::move(runtime))));
  ASSERT_FALSE(llvm::errorToBool(prepareModule(*module, {})));
  auto p = decode(*module);
  ASSERT_TRUE(bool(p));
  EXPECT_EQ(p->ownBranches, 3u);
  EXPECT_EQ(p->branches.size(), 5u);
  EXPECT_TRUE(p->externals.empty());
  EXPECT_FALSE(p->find("helper")->own);
  EXPECT_TRUE(p->find("second")->own); // the program's definition, not the runtime's
  EXPECT_EQ(code(*p, "second").find("Unreachable"), std::string::npos);
  EXPECT_EQ(code(*p, "libc").find("Unreachable"), std::string::npos);
  EXPECT_EQ(p->globalIndex.count("state"), 1u);
}

TEST(LinkRuntime, ReplacesWeakDefinitions) {
  llvm::LLVMContext context;
  auto module = parse(context, "define weak i32 @f() {\n  ret i32 1\n}\n"),
       runtime = parse(context, "define i32 @f() {\n  ret i32 2\n}\n");
  ASSERT_TRUE(module && runtime);
  ASSERT_FALSE(llvm::errorToBool(linkRuntime(*module, std::move(runtime))));
  auto p = decode(*module);
  ASSERT_TRUE(bool(p));
  EXPECT_NE(code(*p, "f").find("Const.32 2"), std::string::npos);
}

TEST(DecodeModule, WhoseCodeItIs) {
  Program p = decodeText(R"(
define void @mine() {
  ret void
}
define void @marked() "fathom-libc" {
  ret void
}
define void @__fathom_helper() {
  ret void
}
define void @libc() !dbg !3 {
  ret void
}
define void @program() !dbg !6 {
  ret void
}
!llvm.dbg.cu = !{!0, !4}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "src/a.c", directory: "/fathom-libc/musl")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "libc", file: !1, line: 7, unit: !0, spFlags: DISPFlagDefinition)
!4 = distinct !DICompileUnit(language: DW_LANG_C11, file: !5, emissionKind: FullDebug)
!5 = !DIFile(filename: "../b.c", directory: "/home/me/src")
!6 = distinct !DISubprogram(name: "program", file: !5, line: 9, unit: !4, spFlags: DISPFlagDefinition)
)");
  EXPECT_TRUE(p.find("mine")->own);
  EXPECT_FALSE(p.find("marked")->own);
  EXPECT_FALSE(p.find("__fathom_helper")->own);
  EXPECT_FALSE(p.find("libc")->own);
  EXPECT_TRUE(p.find("program")->own);
  EXPECT_EQ(p.find("program")->declLine, 9u);
  EXPECT_EQ(p.files[p.find("program")->file], "/home/me/b.c");
}

TEST(DecodeModule, ConstructorsByPriority) {
  const char *const text = R"(
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @last, ptr null }, { i32, ptr, ptr } { i32 100, ptr @first, ptr null }, { i32, ptr, ptr } { i32 100, ptr @then, ptr null }]
@__init_array_start = external hidden global ptr
@__init_array_end = external hidden global ptr
@__fini_array_start = extern_weak hidden global ptr
@__fini_array_end = extern_weak hidden global ptr
declare void @_init()
@ends = global [4 x ptr] [ptr @__init_array_start, ptr @__init_array_end, ptr @__fini_array_start, ptr @__fini_array_end]
define void @last() {
  ret void
}
define void @first() {
  ret void
}
define void @then() {
  call void @_init()
  ret void
}
)";
  Program p = decodeText(text);
  const Global &array = global(p, "__init_array_start");
  ASSERT_EQ(array.init.size(), 24u);
  EXPECT_EQ(word(array, 0), functionAddress(p.find("first")->id));
  EXPECT_EQ(word(array, 8), functionAddress(p.find("then")->id));
  EXPECT_EQ(word(array, 16), functionAddress(p.find("last")->id));
  EXPECT_EQ(word(global(p, "ends"), 0), array.address);
  EXPECT_EQ(word(global(p, "ends"), 8), array.address + 24);
  EXPECT_EQ(word(global(p, "ends"), 16),
            word(global(p, "ends"), 24)); // no destructors: start = end
  EXPECT_EQ(code(p, "_init"), "\nblock 0:\n0: RetVoid\n");
  EXPECT_TRUE(p.externals.empty());
}

const char *const kDebug = R"(
define i32 @f(i32 %0, ptr %1) !dbg !5 {
  %3 = alloca i32
  %4 = alloca [4 x i8]
  %5 = alloca ptr
  store i32 %0, ptr %3, !dbg !20
    #dbg_declare(ptr %3, !10, !DIExpression(), !20)
  store ptr %1, ptr %5
    #dbg_declare(ptr %5, !12, !DIExpression(), !20)
    #dbg_declare(ptr %4, !11, !DIExpression(), !20)
  store ptr %5, ptr %1, !dbg !20
  %6 = load i32, ptr %3, !dbg !21
  store i8 1, ptr %4, !dbg !22
  ret i32 %6, !dbg !20
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", file: !1, line: 3, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !{})
!6 = distinct !DISubprogram(name: "inlined", file: !7, line: 30, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DIFile(filename: "/include/h.h", directory: "")
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = !DILocalVariable(name: "count", arg: 1, scope: !5, file: !1, line: 3, type: !8)
!11 = !DILocalVariable(name: "buffer", scope: !5, file: !1, line: 4, type: !8)
!12 = !DILocalVariable(name: "where", arg: 2, scope: !5, file: !1, line: 3, type: !8)
!20 = !DILocation(line: 3, column: 9, scope: !5)
!21 = !DILocation(line: 4, column: 1, scope: !5)
!22 = !DILocation(line: 31, column: 2, scope: !6, inlinedAt: !23)
!23 = distinct !DILocation(line: 5, column: 3, scope: !5)
)";

TEST(DecodeModule, SourcePositionsAndNames) {
  Program p = decodeText(kDebug);
  const FunctionCode &f = *p.find("f");
  EXPECT_EQ(f.params[0].name, "count"); // became a value
  EXPECT_EQ(f.params[1].name, "where"); // its address is taken: still in memory
  ASSERT_EQ(f.allocas.size(), 2u);
  EXPECT_EQ(f.allocas[0].name, "buffer");
  EXPECT_EQ(f.allocas[0].sizeBytes, 4u);
  EXPECT_EQ(f.allocas[1].name, "where");
  // The store of inlined code: where its text stands.
  bool found = false;
  for (uint32_t i = 0; i < f.code.size(); ++i)
    if (f.code[i].op == Op::Store8I) {
      found = true;
      EXPECT_EQ(p.files[p.location(f, i).file], "/include/h.h");
      EXPECT_EQ(p.location(f, i).line, 31u);
      EXPECT_EQ(p.location(f, i).column, 2u);
    }
  EXPECT_TRUE(found);
  EXPECT_EQ(p.files[f.file], "/src/a.c");
  EXPECT_NE(printFunction(p, f).find("; a.c:3:9"), std::string::npos);
}

TEST(DecodeModule, UnsupportedInitialiserBad) {
  llvm::LLVMContext context;
  auto module = parse(context, "@g = global fp128 0xL00000000000000003FFF000000000000\n");
  ASSERT_TRUE(module);
  auto p = decode(*module);
  ASSERT_FALSE(bool(p));
  EXPECT_EQ(toString(p.takeError()), "global 'g': unsupported initialiser: value of type fp128");
}

TEST(ForEachBranch, MatchesTheDecoder) {
  llvm::LLVMContext context;
  auto module = parse(context, kBranches);
  ASSERT_TRUE(module);
  std::vector<std::string> visited;
  forEachBranch(*module, [&](llvm::Instruction &terminator, uint32_t id) {
    visited.push_back(std::to_string(id) + " " + terminator.getFunction()->getName().str() + " " +
                      terminator.getOpcodeName());
  });
  EXPECT_EQ(visited,
            (std::vector<std::string>{"0 first br", "1 first switch", "2 second br", "3 libc br"}));
}

TEST(Decode, IsDeterministic) {
  Program a = decodeText(kDebug), b = decodeText(kDebug);
  EXPECT_EQ(printFunction(a, *a.find("f")), printFunction(b, *b.find("f")));
}

} // namespace
