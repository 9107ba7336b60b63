// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports that a bug of the same run shows.
#include "run/all/ShownReports.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

namespace fathom::run {
namespace {

std::string resultAt(unsigned line, const char *rule, const char *more) {
  return fmt::format(R"({{"ruleId": "{}", "message": {{"text": "m{}"}}, "locations":
    [{{"physicalLocation": {{"artifactLocation": {{"uri": "src/a.c"}},
    "region": {{"startLine": {}}}}}}}]{}}})",
                     rule, line, line, more);
}

class ShownReportsTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("shown-reports", dir_));
    file_ = std::string(dir_.str()) + "/r.sarif";
    std::ofstream(file_)
        << R"({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "fathom scan"}}, "results": [)"
        << resultAt(10, "use-after-free", R"(, "properties": {"verdict": "open",
             "openBecause": "time", "settledBy": "more time"})")
        << "," << resultAt(10, "null-dereference", "") << ","
        << resultAt(20, "use-after-free",
                    R"(, "properties": {"verdict": "refuted", "reason": "no path"},
             "suppressions": [{"kind": "external", "justification": "no path"}],
             "codeFlows": [{"threadFlows": [{"locations": [{"location": {"physicalLocation":
               {"artifactLocation": {"uri": "src/a.c"}, "region": {"startLine": 15}},
               "message": {"text": "memory is freed here"}}}]}]}])")
        << "," << resultAt(20, "use-after-free", R"(, "properties": {"verdict": "open"},
             "suppressions": [{"kind": "external", "justification": "dismissed: why"}])")
        << "," << resultAt(30, "use-after-free", R"(, "properties": {"verdict": "possible"})")
        << "]}]}\n";
  }
  void TearDown() override { llvm::sys::fs::remove_directories(dir_); }

  static RunBug bugAt(evidence::BugKind kind, uint32_t line, uint32_t freedAt = 0) {
    RunBug bug;
    bug.finding.kind = kind;
    bug.finding.message = "freed before";
    evidence::StackFrame frame;
    frame.function = "f";
    frame.file = "/home/me/src/a.c";
    frame.line = line;
    frame.own = true;
    bug.finding.stack = {frame};
    frame.line = freedAt;
    if (freedAt) bug.finding.related = {frame};
    bug.dirs = {"fuzz/bugs/000001", "explore/bugs/000007"};
    return bug;
  }
  /// The properties of result `index`, or the whole result.
  llvm::json::Value result(unsigned index) const {
    auto text = llvm::MemoryBuffer::getFile(file_);
    auto document = llvm::json::parse((*text)->getBuffer());
    if (!document) return nullptr;
    const auto &run = *(*document->getAsObject()->getArray("runs"))[0].getAsObject();
    return (*run.getArray("results"))[index];
  }
  std::string property(unsigned index, const char *key) const {
    const llvm::json::Value value = result(index);
    const auto *properties = value.getAsObject()->getObject("properties");
    return properties ? properties->getString(key).value_or("").str() : "";
  }

  llvm::SmallString<64> dir_;
  std::string file_;
};

TEST_F(ShownReportsTest, ABugOfItsKindAtItsLineConfirmsAReport) {
  auto counts = confirmByBugs(file_, file_, "/out", {bugAt(evidence::BugKind::UseAfterFree, 10)});
  ASSERT_TRUE(bool(counts));
  EXPECT_EQ(counts->open, 1u);
  EXPECT_EQ(counts->all(), 1u);
  EXPECT_EQ(property(0, "verdict"), "confirmed");
  EXPECT_EQ(property(0, "reproducer"), "/out/fuzz/bugs/000001");
  EXPECT_EQ(property(0, "settledBy"), "");
  EXPECT_EQ(property(1, "verdict"), "");         // of another kind
  EXPECT_EQ(property(4, "verdict"), "possible"); // at another line
}

TEST_F(ShownReportsTest, ARefutedReportThatABugShowsIsToldAndADismissedOneStays) {
  auto counts =
      confirmByBugs(file_, file_, "/out", {bugAt(evidence::BugKind::UseAfterFree, 20, 15)});
  ASSERT_TRUE(bool(counts));
  ASSERT_EQ(counts->refuted, std::vector<std::string>{"src/a.c:20"});
  EXPECT_EQ(counts->all(), 1u);
  EXPECT_EQ(property(2, "verdict"), "confirmed");
  EXPECT_EQ(property(2, "otherSource"), "");
  EXPECT_FALSE(result(2).getAsObject()->get("suppressions"));
  EXPECT_EQ(property(3, "verdict"), "open");
  EXPECT_TRUE(result(3).getAsObject()->get("suppressions"));
}

TEST_F(ShownReportsTest, ABugFromAnotherSourceOverturnsNoRefutation) {
  auto counts =
      confirmByBugs(file_, file_, "/out", {bugAt(evidence::BugKind::UseAfterFree, 20, 16)});
  ASSERT_TRUE(bool(counts));
  EXPECT_EQ(counts->all(), 0u);
  EXPECT_EQ(property(2, "verdict"), "refuted");
}

TEST_F(ShownReportsTest, WhatGoesWrongInAFunctionThatTheLineCallsIsAnotherDefect) {
  RunBug bug = bugAt(evidence::BugKind::UseAfterFree, 50);
  bug.finding.stack.push_back(bugAt(evidence::BugKind::UseAfterFree, 10).finding.stack[0]);
  auto counts = confirmByBugs(file_, file_, "/out", {bug});
  ASSERT_TRUE(bool(counts));
  EXPECT_EQ(counts->all(), 0u);
}

TEST_F(ShownReportsTest, WhereNoBugShowsAReportNothingIsWritten) {
  const std::string to = std::string(dir_.str()) + "/new.sarif";
  auto counts = confirmByBugs(file_, to, "/out", {bugAt(evidence::BugKind::DoubleFree, 40)});
  ASSERT_TRUE(bool(counts));
  EXPECT_EQ(counts->all(), 0u);
  EXPECT_FALSE(llvm::sys::fs::exists(to));
}

TEST_F(ShownReportsTest, AFileThatIsCutIsAnError) {
  std::ofstream(file_) << R"({"version": "2.1.0", "runs": [{)";
  auto counts = confirmByBugs(file_, file_, "/out", {bugAt(evidence::BugKind::DoubleFree, 40)});
  ASSERT_FALSE(bool(counts));
  llvm::consumeError(counts.takeError());
}

} // namespace
} // namespace fathom::run
