// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regression tests as text; test/regression compiles and runs them.
#include "report/RegressionTest.h"

#include "evidence/BugKind.h"

#include <gtest/gtest.h>

namespace fathom::report {
namespace {

Finding bugIn(const std::string &function, evidence::BugKind kind) {
  Finding bug;
  bug.kind = kind;
  bug.stack = {{.function = function, .file = "/src/a.c", .line = 7, .column = 3, .own = true}};
  bug.identity.id = "0123456789abcdef";
  return bug;
}

RegressionCase caseOf(const StoredTest &test, const Finding &bug) {
  llvm::Expected<RegressionCase> out = regressionCase(test, &bug, 1);
  EXPECT_TRUE(bool(out));
  return std::move(*out);
}

TEST(RegressionTest, NamesAreTheSameInEveryRunAndFitFiles) {
  Finding bug = bugIn("ns::f<int>(char *)", evidence::BugKind::Abort);
  EXPECT_EQ(regressionName(bug), "abort-in-ns-f-int-char-01234567");
  bug.identity.id.clear();
  EXPECT_EQ(regressionName(bug), "abort-in-ns-f-int-char-" + fingerprint(bug).substr(0, 8));
}

TEST(RegressionTest, WordsOfAMessageEndNoComment) {
  Finding bug = bugIn("f", evidence::BugKind::Assertion);
  bug.message = "a */ b\nc";
  const std::string source = regressionSource(caseOf({}, bug));
  EXPECT_TRUE(source.starts_with("/* assertion at a.c:7 in f: a * / b c\n"))
      << source.substr(0, 80);
}

TEST(RegressionTest, ArgumentsOfAnyBytes) {
  StoredTest test;
  test.inputs.arguments = {"prog", std::string("a\"\\\x01") + "1?" + "?=", ""};
  const std::string source = regressionSource(caseOf(test, bugIn("f", evidence::BugKind::Abort)));
  EXPECT_NE(source.find("\"a\\042\\134\\0011\\077\\077=\", \"\", NULL"), std::string::npos)
      << source;
}

TEST(RegressionTest, AFuzzTargetIsCalledAlsoWithNothing) {
  StoredTest test;
  test.symbols = {{"fuzz_size", {0, 0, 0, 0}}};
  const RegressionCase nothing = caseOf(test, bugIn("f", evidence::BugKind::Abort));
  EXPECT_EQ(nothing.fuzzed, "");
  EXPECT_NE(regressionSource(nothing).find("SIZE = 0"), std::string::npos);
  test.symbols.push_back({"fuzz_data", {'x'}});
  EXPECT_EQ(caseOf(test, bugIn("f", evidence::BugKind::Abort)).fuzzed, "x");
}

TEST(RegressionTest, ObjectsOfAProgramAreKept) {
  StoredTest test;
  test.inputs.files = {{"A", "1"}};
  test.symbols = {{"n_args", {1}}, {"arg00", {'a'}}, {"A-data", {'1'}}, {"stdin", {'2'}}};
  EXPECT_EQ(caseOf(test, bugIn("f", evidence::BugKind::Abort)).ktest, "");
  test.symbols.push_back({"length", {4}});
  EXPECT_NE(caseOf(test, bugIn("f", evidence::BugKind::Abort)).ktest, "");
}

TEST(RegressionTest, WhatABuildHasToHave) {
  EXPECT_EQ(caseOf({}, bugIn("f", evidence::BugKind::DivisionByZero)).sanitizers, "");
  EXPECT_EQ(caseOf({}, bugIn("f", evidence::BugKind::OutOfBoundsRead)).sanitizers,
            "address,undefined");
  EXPECT_TRUE(caseOf({}, bugIn("f", evidence::BugKind::Leak)).leaks);
  EXPECT_TRUE(caseOf({}, bugIn("f", evidence::BugKind::Hang)).hangs);
}

TEST(RegressionTest, NoInputAloneDecides) {
  StoredTest test;
  EXPECT_EQ(whyNotNative(test, ""), "");
  EXPECT_NE(whyNotNative(test, "parse"), "");
  test.inputs.failedAllocations = {2};
  EXPECT_NE(whyNotNative(test, ""), "");
}

} // namespace
} // namespace fathom::report
