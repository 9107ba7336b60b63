// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many reports as SARIF, and that document as a baseline.
#include "evidence/BugKind.h"
#include "report/ScanReport.h"

#include "support/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace fathom;

static std::vector<statics::Report> equalReports(size_t count) {
  statics::Report r;
  r.kind = evidence::BugKind::Leak;
  r.message = "memory is not freed";
  r.steps.push_back(
      {evidence::StepRole::Allocates, "none.c", "f", 3, 7, 11, "malloc allocates it"});
  r.steps.push_back({evidence::StepRole::Defect, "none.c", "f", 4, 1, 12, "the function returns"});
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

namespace {

class BaselineFile {
public:
  explicit BaselineFile(const std::string &text) {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("baseline", "sarif", path_));
    EXPECT_FALSE(writeFile(path_.str().str(), text));
  }
  ~BaselineFile() { llvm::sys::fs::remove(path_); }
  report::Baseline read() const {
    llvm::Expected<report::Baseline> known = report::readBaseline(path_.str().str());
    if (known) return std::move(*known);
    ADD_FAILURE() << llvm::toString(known.takeError());
    return {};
  }

private:
  llvm::SmallString<128> path_;
};

std::string documentOf(const std::vector<statics::Report> &reports,
                       const report::ScanSarif &options = {}) {
  report::SourceLines sources;
  std::string text;
  llvm::raw_string_ostream out(text);
  report::writeScanSarif(out, reports, sources, options);
  return text;
}

/// Of the results of the only run: by rule, the state.
std::map<std::string, std::string> statesOf(const std::string &document) {
  const llvm::Expected<llvm::json::Value> value = llvm::json::parse(document);
  std::map<std::string, std::string> out;
  for (const llvm::json::Value &result :
       *(*value->getAsObject()->getArray("runs"))[0].getAsObject()->getArray("results")) {
    const llvm::json::Object &o = *result.getAsObject();
    out[o.getString("ruleId")->str()] = o.getString("baselineState")->str();
  }
  return out;
}

} // namespace

TEST(ScanSarif, WhatWasCutShortIsNotAbsent) {
  std::vector<statics::Report> two = equalReports(2);
  two[1].kind = evidence::BugKind::DoubleFree;
  const BaselineFile first(documentOf(two));
  const report::Baseline old = first.read();
  const BaselineFile cut(documentOf(
      {}, {.baseline = &old, .notes = {}, .isComplete = false, .cut = {evidence::BugKind::Leak}}));
  const report::Baseline next = cut.read();
  ASSERT_EQ(next.results.size(), 1u);
  EXPECT_EQ(next.results.begin()->second.rule, "leak");
  EXPECT_TRUE(next.results.begin()->second.text.contains("\"notReached\": true"));
  EXPECT_TRUE(next.results.begin()->second.text.contains("malloc allocates it"));
  EXPECT_EQ(
      statesOf(documentOf(
          {},
          {.baseline = &old, .notes = {}, .isComplete = false, .cut = {evidence::BugKind::Leak}})),
      (std::map<std::string, std::string>{{"double-free", "absent"}, {"leak", "unchanged"}}));
  // It is found again.
  EXPECT_EQ(statesOf(documentOf({two[0]}, {.baseline = &next, .notes = {}})),
            (std::map<std::string, std::string>{{"leak", "unchanged"}}));
}

TEST(ScanSarif, ABaselineMayHaveAByteOrderMarkAndEscapedNames) {
  std::string text = documentOf(equalReports(3));
  text.replace(text.find("\"runs\""), 6, "\"\\u0072uns\"");
  EXPECT_EQ(BaselineFile("\xEF\xBB\xBF" + text).read().results.size(), 3u);
}
