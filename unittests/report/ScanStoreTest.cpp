// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ScanStore.h"
#include "evidence/BugKind.h"

#include <gtest/gtest.h>

using namespace fathom;

static report::ScanResult example() {
  report::ScanResult result;
  result.notes = {"3 reports left out", ""};
  result.seconds = 1.25;
  statics::Report r;
  r.kind = evidence::BugKind::Leak;
  r.message = "12 bytes\nare \xff lost";
  r.doubts = 2;
  r.steps.push_back({evidence::StepRole::Allocates, "a b.c", "f", 3, 7, 11, "here"});
  r.steps.push_back({evidence::StepRole::Defect, "", "g", 0, 0, statics::kNone, ""});
  r.alsoAt.add({evidence::StepRole::Defect, "c.c", "h", 4, 1, statics::kNone, "as well"});
  r.alsoAt.more = 7;
  r.alsoFrom.add({evidence::StepRole::Frees, "", "k", 0, 0, 12, "from there"});
  result.reports = {r, r};
  return result;
}

TEST(ScanStore, ComesBackAsItWas) {
  const report::ScanResult result = example();
  const auto back = report::readScanResult(report::storedScanResult(result));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->notes, result.notes);
  EXPECT_TRUE(back->isComplete);
  EXPECT_DOUBLE_EQ(back->seconds, 1.25);
  ASSERT_EQ(back->reports.size(), 2u);
  for (const statics::Report &r : back->reports) {
    EXPECT_EQ(r.kind, evidence::BugKind::Leak);
    EXPECT_EQ(r.message, result.reports[0].message);
    EXPECT_EQ(r.doubts, 2u);
    ASSERT_EQ(r.steps.size(), 2u);
    EXPECT_EQ(r.source().file, "a b.c");
    EXPECT_EQ(r.source().line, 3u);
    EXPECT_EQ(r.source().column, 7u);
    EXPECT_EQ(r.source().statement, 11u);
    EXPECT_EQ(r.source().role, evidence::StepRole::Allocates);
    EXPECT_EQ(r.sink().function, "g");
    EXPECT_EQ(r.sink().statement, statics::kNone);
    ASSERT_EQ(r.alsoAt.listed.size(), 1u);
    EXPECT_EQ(r.alsoAt.listed[0].text, "as well");
    EXPECT_EQ(r.alsoAt.count(), 8u);
    ASSERT_EQ(r.alsoFrom.listed.size(), 1u);
    EXPECT_EQ(r.alsoFrom.listed[0].statement, 12u);
  }
}

TEST(ScanStore, HalfAFileIsNone) {
  const std::string whole = report::storedScanResult(example());
  for (size_t bytes = 0; bytes < whole.size(); bytes++)
    EXPECT_FALSE(report::readScanResult(whole.substr(0, bytes))) << bytes;
  EXPECT_FALSE(report::readScanResult(whole + " "));
  EXPECT_FALSE(report::readScanResult("fathom-reports-3\n1 0 99999999999 "));
}

TEST(ScanStore, WhatIsTooLargeIsNotStored) {
  const std::string whole = report::storedScanResult(example());
  EXPECT_EQ(report::storedScanResult(example(), whole.size()), whole);
  EXPECT_EQ(report::storedScanResult(example(), 10), "");
}
