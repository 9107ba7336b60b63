// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many reports as SARIF, and that document as a baseline.
#include "report/ScanReport.h"

#include "support/WriteFile.h"

#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <set>

using namespace fathom;

static std::vector<statics::Report> equalReports(size_t count) {
  statics::Report r;
  r.kind = statics::DefectKind::MemoryLeak;
  r.message = "memory is not freed";
  r.steps.push_back({"none.c", "f", 3, 7, 11, "malloc allocates it"});
  r.steps.push_back({"none.c", "f", 4, 1, 12, "the function returns"});
  return std::vector<statics::Report>(count, r);
}

TEST(ScanSarif, EqualReportsHaveFingerprintsOfTheirOwn) {
  report::SourceLines sources;
  // What is linear here takes a moment, and what is quadratic minutes.
  constexpr size_t kMany = 200'000;
  const std::vector<std::string> many = report::scanFingerprints(equalReports(kMany), sources);
  EXPECT_EQ(std::set<std::string>(many.begin(), many.end()).size(), kMany);
  const std::vector<std::string> few = report::scanFingerprints(equalReports(3), sources);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(ScanSarif, ADocumentIsABaseline) {
  report::SourceLines sources;
  const std::vector<statics::Report> reports = equalReports(1000);
  std::string text;
  llvm::raw_string_ostream out(text);
  report::writeScanSarif(out, reports, sources, {});
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("baseline", "sarif", path));
  ASSERT_FALSE(writeFile(path.str().str(), text));
  llvm::Expected<report::Baseline> known = report::readBaseline(path.str().str());
  ASSERT_TRUE(bool(known)) << llvm::toString(known.takeError());
  EXPECT_EQ(known->results.size(), 1000u);
  for (const std::string &print : report::scanFingerprints(reports, sources)) {
    ASSERT_TRUE(known->results.contains(print));
    EXPECT_EQ(known->results[print].rule, "leak");
    EXPECT_EQ(known->results[print].message, "memory is not freed");
  }
  // Half a document, and one of another tool.
  ASSERT_FALSE(writeFile(path.str().str(), text.substr(0, text.size() / 2)));
  EXPECT_EQ(llvm::toString(report::readBaseline(path.str().str()).takeError()),
            path.str().str() + ": not JSON; expected SARIF that `fathom scan --sarif` wrote");
  ASSERT_FALSE(writeFile(path.str().str(), R"({"runs": [{"results": [{"ruleId": "x"}]}]})"));
  EXPECT_EQ(llvm::toString(report::readBaseline(path.str().str()).takeError()),
            path.str().str() + ": a result without the fingerprint fathomDefect/v1");
  llvm::sys::fs::remove(path);
}
