// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scan from code, without a command line.
#include "Support.h"

#include "evidence/BugKind.h"
#include "run/scan/Scan.h"
#include "run/scan/ScanAssertions.h"
#include "run/scan/ScanPrint.h"

namespace fathom::run::test {
namespace {

constexpr const char *kFreesTwice = R"(
declare ptr @malloc(i64)
declare void @free(ptr)
define i32 @main() {
  %p = call ptr @malloc(i64 4)
  call void @free(ptr %p)
  call void @free(ptr %p)
  ret i32 0
})";

constexpr const char *kDivides = R"(
define i32 @divide(i32 %x) {
  %q = sdiv i32 10, %x
  ret i32 %q
})";

ScanOptions optionsFor(const std::string &program) {
  ScanOptions out;
  out.programs = {program};
  out.usesCache = false;
  return out;
}

TEST(Scan, ReportsADefect) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  auto result = scanReports(optionsFor(scratch.program(kFreesTwice)), session);
  ASSERT_TRUE(bool(result));
  ASSERT_EQ(result->reports.size(), 1u);
  EXPECT_EQ(result->reports[0].kind, evidence::BugKind::DoubleFree);
  EXPECT_TRUE(result->isComplete);
  EXPECT_TRUE(recorder.warnings.empty());
}

TEST(Scan, ReportsOnlyTheKindsAsked) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  ScanOptions options = optionsFor(scratch.program(kFreesTwice));
  options.kinds = statics::bitOf(evidence::BugKind::Leak);
  auto result = scanReports(options, session);
  ASSERT_TRUE(bool(result));
  EXPECT_TRUE(result->reports.empty());
}

TEST(Scan, ChecksAssertions) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  ScanOptions options = optionsFor(scratch.program(kDivides));
  options.entry = "divide";
  auto checked = scanAssertions(options, session);
  ASSERT_TRUE(bool(checked));
  EXPECT_FALSE((*checked)->isClean());
  ASSERT_EQ((*checked)->alarms().size(), 1u);
  EXPECT_EQ((*checked)->alarms()[0].kind, statics::abstract::CheckKind::Division);
}

// A failure is a value: nothing is thrown, printed or ended.
TEST(Scan, ReturnsWrongUsage) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  EXPECT_NE(usageText(scanReports(ScanOptions(), session).takeError()).find("no program given"),
            std::string::npos);
  ScanOptions options = optionsFor(scratch.program(kFreesTwice));
  options.maxReports = 0;
  EXPECT_EQ(usageText(scanReports(options, session).takeError()),
            "--most-reports 0: expected at least 1");
  options = optionsFor(scratch.path("absent.bc"));
  EXPECT_NE(usageText(scanAssertions(options, session).takeError()).find("absent.bc"),
            std::string::npos);
  options = optionsFor(scratch.program(kFreesTwice));
  options.entry = "absent";
  EXPECT_NE(usageText(scanReports(options, session).takeError()).find("absent"), std::string::npos);
}

TEST(Scan, PrintsWhatIsNamed) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  EXPECT_NE(usageText(printRequest("nothing").takeError()).find("points-to"), std::string::npos);
  EXPECT_NE(usageText(printRequest("sizes:").takeError()).find("after the colon"),
            std::string::npos);
  const ScanOptions options = optionsFor(scratch.program(kFreesTwice));
  auto request = printRequest("points-to:main");
  ASSERT_TRUE(bool(request));
  auto printed = printAnalysis(options, *request, session);
  ASSERT_TRUE(bool(printed));
  EXPECT_NE(printed->text.find("main"), std::string::npos);
  request->function = "absent";
  EXPECT_EQ(usageText(printAnalysis(options, *request, session).takeError()),
            "--print points-to:absent: the program has no function absent");
}

} // namespace
} // namespace fathom::run::test
