// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support.h"

#include <fathom/Confirm.h>
#include <fathom/Scan.h>

namespace fathom::api::test {
namespace {

/// With lines, as a compiler writes them: the second free is true, and the third never happens.
constexpr const char *kFrees = R"(
declare ptr @malloc(i64)
declare void @free(ptr)
define i32 @main() !dbg !4 {
  %p = call ptr @malloc(i64 4), !dbg !10
  call void @free(ptr %p), !dbg !11
  call void @free(ptr %p), !dbg !12
  ret i32 0, !dbg !12
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "frees.c", directory: "/nowhere")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "main", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 2, column: 3, scope: !4)
!11 = !DILocation(line: 3, column: 3, scope: !4)
!12 = !DILocation(line: 4, column: 3, scope: !4)
)";

ScanOptions scanOptions() {
  ScanOptions out;
  out.usesCache = false;
  return out;
}

ConfirmOptions confirmOptions() {
  ConfirmOptions out;
  out.usesCache = false;
  out.rounds = 1;
  return out;
}

TEST(Scan, ReportsAreConfirmed) {
  const Scratch scratch;
  const Program program = scratch.program(kFrees);
  ScanOptions scanning = scanOptions();
  scanning.sarif = scratch.path("reports.sarif");
  const Result<ScanResult> scanned = scan(program, scanning);
  ASSERT_TRUE(bool(scanned)) << scanned.error().message;
  EXPECT_TRUE(scanned->isComplete);
  ASSERT_EQ(scanned->reports.size(), 1u);
  const Report &report = scanned->reports[0];
  EXPECT_EQ(report.kind, "double-free");
  EXPECT_EQ(report.cwe, 415u);
  ASSERT_GE(report.steps.size(), 2u);
  EXPECT_EQ(report.steps.front().line, 3u);
  EXPECT_EQ(report.place().line, 4u);
  EXPECT_EQ(report.place().function, "main");

  const Result<std::vector<Judgement>> judged =
      confirm(program, {scanning.sarif}, confirmOptions());
  ASSERT_TRUE(bool(judged)) << judged.error().message;
  ASSERT_EQ(judged->size(), 1u);
  const Judgement &one = (*judged)[0];
  EXPECT_EQ(one.verdict, Verdict::Confirmed) << one.reason;
  EXPECT_EQ(one.rule, "double-free");
  EXPECT_EQ(one.kind, "double-free");
  EXPECT_EQ(one.place.line, 4u);
  EXPECT_EQ(one.feasibleFrom, "main");
  ASSERT_FALSE(one.stack.empty());
}

TEST(Scan, ReportsOnlyTheKindsAsked) {
  const Scratch scratch;
  ScanOptions options = scanOptions();
  options.kinds = {"leak"};
  const Result<ScanResult> scanned = scan(scratch.program(kFrees), options);
  ASSERT_TRUE(bool(scanned));
  EXPECT_TRUE(scanned->reports.empty());
}

TEST(Scan, ReturnsWrongUsage) {
  const Scratch scratch;
  const Program program = scratch.program(kFrees);
  EXPECT_TRUE(contains(usageOf(scan(Program(), scanOptions())), "no program given"));
  ScanOptions options = scanOptions();
  options.kinds = {"signed-overflow"}; // of executions only
  EXPECT_TRUE(contains(usageOf(scan(program, options)), "--kinds signed-overflow"));
  options = scanOptions();
  options.maxReports = 0;
  EXPECT_EQ(usageOf(scan(program, options)), "--most-reports 0: expected at least 1");
  options = scanOptions();
  options.entry = "absent";
  EXPECT_TRUE(contains(usageOf(scan(program, options)), "absent"));
  options = scanOptions();
  options.sarif = scratch.path("absent/reports.sarif");
  EXPECT_TRUE(contains(usageOf(scan(program, options)), "--sarif"));
}

TEST(Confirm, ReturnsWrongUsage) {
  const Scratch scratch;
  const Program program = scratch.program(kFrees);
  const std::string text = scratch.write("reports.txt", "no report");
  EXPECT_EQ(usageOf(confirm(Program(), {text})), "no program given");
  EXPECT_TRUE(contains(usageOf(confirm(program, {})), "--reports"));
  EXPECT_TRUE(contains(usageOf(confirm(program, {text}, confirmOptions())), "reports.txt"));
  EXPECT_TRUE(
      contains(usageOf(confirm(program, {scratch.path("absent")}, confirmOptions())), "absent"));
  ConfirmOptions options = confirmOptions();
  options.jobs = 0;
  EXPECT_EQ(usageOf(confirm(program, {text}, options)), "--jobs 0: expected 1 to 256");
  options = confirmOptions();
  options.reportTime = std::chrono::milliseconds(0);
  EXPECT_TRUE(contains(usageOf(confirm(program, {text}, options)), "--report-time 0ms"));
}

} // namespace
} // namespace fathom::api::test
