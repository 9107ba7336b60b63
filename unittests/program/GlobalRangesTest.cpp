// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of variables: which stores count, what guards say, and which variables are left alone.
#include "Support.h"

#include "program/GlobalRanges.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace fathom::program;
using namespace fathom::program::test;

namespace {

/// "offset+bytes:least..greatest", separated by blanks; "": nothing is known.
std::string rangesOf(const std::string &assembly, const std::string &variable) {
  llvm::LLVMContext context;
  const GlobalRanges ranges = rangesOfGlobals(*parse(context, assembly));
  std::string out;
  if (auto it = ranges.find(variable); it != ranges.end())
    for (const NumberRange &r : it->second)
      out += fmt::format("{}{}+{}:{}..{}", out.empty() ? "" : " ", r.offset, r.bytes, r.least,
                         r.greatest);
  return out;
}

const std::string kMain = "define i32 @main() !dbg !1 { ret i32 0 }\n"
                          "!llvm.dbg.cu = !{!2}\n!llvm.module.flags = !{!3}\n"
                          "!1 = distinct !DISubprogram(name: \"main\", unit: !2, file: !4)\n"
                          "!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !4)\n"
                          "!3 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
                          "!4 = !DIFile(filename: \"a.c\", directory: \"/\")\n";

TEST(GlobalRanges, ConstantsThatAreStored) {
  EXPECT_EQ(rangesOf(R"(
@g = internal global i32 3
define void @f(i1 %c) {
  %n = select i1 %c, i32 -2, i32 9
  store i32 %n, ptr @g
  ret void
})",
                     "g"),
            "0+4:-2..9");
}

TEST(GlobalRanges, GuardBoundsACounter) {
  const std::string counter = R"(
@g = internal global i32 0
define void @f() {
  %n = load i32, ptr @g
  %c = icmp slt i32 %n, 100
  br i1 %c, label %more, label %end
more:
  %m = load i32, ptr @g
  %k = add nsw i32 %m, 1
  store i32 %k, ptr @g
  br label %end
end:
  ret void
})";
  EXPECT_EQ(rangesOf(counter, "g"), "0+4:0..100");
}

TEST(GlobalRanges, CounterWithoutGuardIsNotNegative) {
  EXPECT_EQ(rangesOf(R"(
@g = internal global i32 0
define void @f() {
  %m = load i32, ptr @g
  %k = add nsw i32 %m, 1
  store i32 %k, ptr @g
  ret void
})",
                     "g"),
            "0+4:0..2147483647");
}

TEST(GlobalRanges, WrappingCounterIsAnything) {
  EXPECT_EQ(rangesOf(R"(
@g = internal global i32 0
define void @f() {
  %m = load i32, ptr @g
  %k = add i32 %m, 1
  store i32 %k, ptr @g
  ret void
})",
                     "g"),
            "");
}

TEST(GlobalRanges, BoundsOfOneVariableAreThoseOfAnother) {
  EXPECT_EQ(rangesOf(R"(
@g = internal global i8 1
@h = internal global i32 0
define void @f() {
  %n = load i8, ptr @g
  %w = sext i8 %n to i32
  store i32 %w, ptr @h
  ret void
}
define void @s() {
  store i8 5, ptr @g
  ret void
})",
                     "h"),
            "0+4:0..5");
}

TEST(GlobalRanges, FieldsAreApart) {
  EXPECT_EQ(rangesOf(R"(
@g = internal global { i32, i32 } { i32 7, i32 1 }
define void @f(i32 %n) {
  store i32 4, ptr getelementptr inbounds ({ i32, i32 }, ptr @g, i32 0, i32 0)
  store i32 %n, ptr getelementptr inbounds ({ i32, i32 }, ptr @g, i32 0, i32 1)
  ret void
})",
                     "g"),
            "0+4:4..7");
}

TEST(GlobalRanges, FieldThatNothingStoresToStays) {
  EXPECT_EQ(rangesOf(R"(
@g = internal global { i32, ptr, i32 } { i32 7, ptr @g, i32 1 }
define void @f(i32 %n) {
  store i32 %n, ptr @g
  ret void
})",
                     "g"),
            ""); // its address is in its initialiser
  EXPECT_EQ(rangesOf(R"(
@s = internal constant [2 x i8] c"a\00"
@g = internal global { i32, ptr, i32 } { i32 7, ptr @s, i32 1 }
define void @f(i32 %n) {
  store i32 %n, ptr @g
  ret void
})",
                     "g"),
            "4+20:0..0");
}

TEST(GlobalRanges, StoresOutsideOfTheVariable) {
  for (const char *offset : {"-4", "62", "14", "16"})
    EXPECT_EQ(rangesOf(fmt::format(R"(
@g = internal global [16 x i8] zeroinitializer
define void @f(i32 %n) {{
  store i32 %n, ptr getelementptr (i8, ptr @g, i64 {})
  ret void
}})",
                                   offset),
                       "g"),
              "")
        << offset;
}

TEST(GlobalRanges, CodeThatIsNotHere) {
  const std::string text =
      "define i32 @h() !dbg !5 { store i32 1, ptr @g %n = call i32 @other() ret i32 %n }\n"
      "!5 = distinct !DISubprogram(name: \"h\", unit: !2, file: !4)\n";
  EXPECT_EQ(rangesOf("@g = global i32 0\ndeclare i32 @other()\n" + text + kMain, "g"), "");
  EXPECT_EQ(rangesOf("@g = internal global i32 0\ndeclare i32 @other()\n" + text + kMain, "g"),
            "0+4:0..1");
  EXPECT_EQ(rangesOf("@g = global i32 0\ndefine i32 @other() { ret i32 0 }\n" + text + kMain, "g"),
            "0+4:0..1");
  EXPECT_EQ(
      rangesOf("@g = global i32 0\ndefine i32 @other() { ret i32 0 }\n!fathom.missing = !{}\n" +
                   text + kMain,
               "g"),
      "");
}

TEST(GlobalRanges, AssemblyAndSections) {
  const std::string store = "define void @f() { store i32 1, ptr @gauge ret void }\n";
  EXPECT_EQ(
      rangesOf("@gauge = internal global i32 0\nmodule asm \"movl $7, gauge\"\n" + store, "gauge"),
      "");
  EXPECT_EQ(rangesOf("@gauge = internal global i32 0, section \"knobs\"\n" + store, "gauge"), "");
  EXPECT_EQ(rangesOf("@gauge = internal global i32 0\ndefine void @a() { call void asm \"movl $$7, "
                     "gauge\", \"\"() ret void }\n" +
                         store,
                     "gauge"),
            "");
}

TEST(GlobalRanges, StoresThatOverlapAreLeftOut) {
  EXPECT_EQ(rangesOf(R"(
@g = internal global i64 0
define void @f() {
  store i32 4, ptr getelementptr (i8, ptr @g, i64 2)
  store i64 5, ptr @g
  ret void
})",
                     "g"),
            "");
}

TEST(GlobalRanges, NeverStoredKeepsItsInitialiser) {
  EXPECT_EQ(rangesOf(R"(
@g = internal global [3 x i32] [i32 1, i32 2, i32 -1]
define i32 @f(i64 %i) {
  %p = getelementptr [3 x i32], ptr @g, i64 0, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
})",
                     "g"),
            "0+12:0..0");
}

TEST(GlobalRanges, AddressesThatEscape) {
  const char *const uses[] = {
      "call void @take(ptr @g)",
      "store ptr @g, ptr %p",
      "%q = select i1 %c, ptr @g, ptr %p\nstore i32 9, ptr %q",
      "%q = getelementptr i32, ptr @g, i64 %i\nstore i32 9, ptr %q",
      "%q = ptrtoint ptr @g to i64\nstore i64 %q, ptr %p",
      "store volatile i32 1, ptr @g",
      "%q = atomicrmw add ptr @g, i32 1 seq_cst",
  };
  for (const char *use : uses)
    EXPECT_EQ(rangesOf(fmt::format(R"(
@g = internal global i32 0
declare void @take(ptr)
define void @f(ptr %p, i1 %c, i64 %i) {{
  store i32 1, ptr @g
  {}
  ret void
}})",
                                   use),
                       "g"),
              "")
        << use;
  EXPECT_EQ(rangesOf("@g = internal global i32 0\n@p = global ptr @g\n", "g"), "");
}

TEST(GlobalRanges, OtherCodeSetsWhatItCanName) {
  const std::string text = "@g = global i32 0\ndefine void @f() { store i32 1, ptr @g ret void }\n";
  EXPECT_EQ(rangesOf(text, "g"), "");
  EXPECT_EQ(rangesOf(text + kMain, "g"), "0+4:0..1");
  std::string harness = text + kMain;
  harness.replace(harness.find("@main"), 5, "@LLVMFuzzerTestOneInput");
  EXPECT_EQ(rangesOf(harness, "g"), "");
}

TEST(GlobalRanges, UndefinedValuesAreAnything) {
  EXPECT_EQ(
      rangesOf(
          "@g = internal global i32 0\ndefine void @f() { store i32 undef, ptr @g ret void }\n",
          "g"),
      "");
}

} // namespace
