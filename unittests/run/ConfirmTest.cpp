// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports confirmed from code, without a command line.
#include "Support.h"

#include "confirm/BatchReport.h"
#include "run/confirm/Confirm.h"

namespace fathom::run::test {
namespace {

/// With the line of a defect, as a compiler writes it.
constexpr const char *kDividesAtLine = R"(
define i32 @divide(i32 %x) !dbg !4 {
  %q = sdiv i32 10, %x, !dbg !7
  ret i32 %q, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "divide.c", directory: "/nowhere")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "divide", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 2, column: 13, scope: !4)
)";

constexpr const char *kReport = R"({"version": "2.1.0", "runs": [{
  "tool": {"driver": {"name": "fathom scan"}},
  "results": [{"ruleId": "division-by-zero", "message": {"text": "division by zero"},
    "locations": [{"physicalLocation": {"artifactLocation": {"uri": "divide.c"},
      "region": {"startLine": 2, "startColumn": 13}},
      "logicalLocations": [{"name": "divide"}]}]}]}]})";

ConfirmRequest confirmRequest(const Scratch &scratch) {
  std::ofstream(scratch.path("reports.sarif")) << kReport;
  ConfirmRequest out;
  out.programs = {scratch.program(kDividesAtLine)};
  out.reports = {scratch.path("reports.sarif")};
  out.usesCache = false;
  out.rounds = 1;
  return out;
}

/// There is no main: whether somebody passes what the path needs is not known.
TEST(Confirm, FindsAReportPossible) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  auto confirmed = confirmReports(confirmRequest(scratch), session);
  ASSERT_TRUE(bool(confirmed));
  const confirm::BatchCounts counts = confirm::countsOf(*confirmed->batch);
  EXPECT_EQ(counts.reports, 1u);
  EXPECT_EQ(counts.verdicts.count(confirm::Verdict::Possible), 1u);
  std::string text, json;
  confirm::writeVerdictsText(*confirmed->batch, counts, 0,
                             [&](const std::string &part) { text += part; });
  confirm::writeVerdictsJson(*confirmed->batch, counts, 0,
                             [&](const std::string &part) { json += part; });
  EXPECT_NE(text.find("1 report: 0 confirmed, 1 possible, 0 refuted, 0 open"), std::string::npos);
  EXPECT_NE(json.find("\"possible\":1"), std::string::npos);
}

// A failure is a value: nothing is thrown, printed or ended.
TEST(Confirm, ReturnsWrongUsage) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  ConfirmRequest request = confirmRequest(scratch);
  request.programs = {scratch.path("absent.bc")};
  EXPECT_NE(usageText(confirmReports(request, session).takeError()).find("absent.bc"),
            std::string::npos);
  request = confirmRequest(scratch);
  request.reports = {scratch.path("absent.sarif")};
  EXPECT_NE(usageText(confirmReports(request, session).takeError()).find("absent.sarif"),
            std::string::npos);
  request = confirmRequest(scratch);
  std::ofstream(scratch.path("reports.sarif")) << "no report";
  EXPECT_NE(usageText(confirmReports(request, session).takeError()).find("reports.sarif"),
            std::string::npos);
  request = confirmRequest(scratch);
  request.arguments = {"--sym-arg", "-1"};
  EXPECT_NE(usageText(confirmReports(request, session).takeError()).find("is negative"),
            std::string::npos);
}

} // namespace
} // namespace fathom::run::test
