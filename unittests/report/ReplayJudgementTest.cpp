// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a signal in a line of the program says of a bug.
#include "report/ReplayJudgement.h"
#include "evidence/BugKind.h"

#include <csignal>
#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::report;
using evidence::BugKind;

namespace {

ReplayedTest judged(BugKind kind, int signal, std::optional<SourcePlace> lastLine,
                    bool tookPath = true) {
  StoredTest stored;
  stored.end = explore::EndKind::Bug;
  stored.bugKind = kind;
  ReplayedTest test;
  test.isBug = true;
  test.outcome.kind = native::Outcome::Kind::Signalled;
  test.outcome.status = signal;
  test.trace.same = tookPath;
  judgeBug(
      stored, test, "", /*isSanitized=*/false,
      {{"memcpy", "string.c", 3, 1, false}, {"f", "/src/a.c", 7, 1}, {"main", "/src/a.c", 20, 1}},
      lastLine);
  return test;
}

TEST(ReplayJudgement, ComparesTheLineInWhichARunEnds) {
  EXPECT_EQ(judged(BugKind::NullDereference, SIGSEGV, {{"a.c", 7}}).verdict,
            BugVerdict::Reproduced);
  EXPECT_EQ(judged(BugKind::NullDereference, SIGSEGV, {{"/other/a.c", 20}}).verdict,
            BugVerdict::Reproduced)
      << "a call of the stack";
  const ReplayedTest other = judged(BugKind::NullDereference, SIGSEGV, {{"b.c", 7}});
  EXPECT_EQ(other.verdict, BugVerdict::OtherPlace);
  EXPECT_EQ(other.symptom, "signal SIGSEGV at b.c:7, not at a.c:7");
  EXPECT_EQ(judged(BugKind::DivisionByZero, SIGFPE, {{"a.c", 8}}).verdict, BugVerdict::OtherPlace);
  EXPECT_EQ(judged(BugKind::NullDereference, SIGSEGV, std::nullopt).verdict, BugVerdict::Reproduced)
      << "no line is known";
}

TEST(ReplayJudgement, AWrongAccessCanDoHarmLater) {
  const ReplayedTest later = judged(BugKind::OutOfBoundsWrite, SIGSEGV, {{"a.c", 9}});
  EXPECT_EQ(later.verdict, BugVerdict::Reproduced);
  EXPECT_EQ(later.symptom, "signal SIGSEGV later, at a.c:9");
  EXPECT_EQ(judged(BugKind::OutOfBoundsWrite, SIGSEGV, {{"a.c", 9}}, /*tookPath=*/false).verdict,
            BugVerdict::OtherPlace)
      << "it did not come to the bug";
}

TEST(ReplayJudgement, ComparesTheCallsOfACrash) {
  const std::vector<evidence::StackFrame> bug = {{"f", "/src/a.c", 7, 1},
                                                 {"main", "/src/a.c", 20, 1}};
  auto compared = [&](BugKind kind, const std::vector<evidence::StackFrame> &calls, bool tookPath) {
    ReplayedTest test;
    test.bugKind = kind;
    test.verdict = BugVerdict::Reproduced;
    test.symptom = "signal SIGSEGV";
    compareCrash(calls, bug, tookPath, test);
    return test;
  };
  const std::vector<evidence::StackFrame> inLibc = {
      {"raise", "", 0, 0}, {"abort", "./stdlib/abort.c", 79, 1}, {"f", "/build/a.c", 7, 1}};
  EXPECT_EQ(compared(BugKind::Abort, inLibc, false).verdict, BugVerdict::Reproduced);
  EXPECT_FALSE(compared(BugKind::Abort, inLibc, false).hasUnknownPlace);
  EXPECT_EQ(
      compared(BugKind::NullDereference, {{"g", "b.c", 3, 1}, {"f", "a.c", 7, 1}}, false).verdict,
      BugVerdict::Reproduced)
      << "inlined otherwise";
  const std::vector<evidence::StackFrame> elsewhere = {{"g", "b.c", 3, 1}, {"main", "a.c", 20, 1}};
  const ReplayedTest other = compared(BugKind::NullDereference, elsewhere, true);
  EXPECT_EQ(other.verdict, BugVerdict::OtherPlace);
  EXPECT_EQ(other.symptom, "signal SIGSEGV at b.c:3, not at a.c:7");
  EXPECT_EQ(compared(BugKind::UseAfterFree, elsewhere, false).verdict, BugVerdict::OtherPlace);
  EXPECT_EQ(compared(BugKind::UseAfterFree, elsewhere, true).symptom,
            "signal SIGSEGV later, at b.c:3");
  const ReplayedTest unknown = compared(BugKind::NullDereference, {{"f", "", 0, 0}}, false);
  EXPECT_EQ(unknown.verdict, BugVerdict::Reproduced);
  EXPECT_TRUE(unknown.hasUnknownPlace);
}

TEST(ReplayJudgement, ADeepRecursionEndsAnywhere) {
  EXPECT_EQ(judged(BugKind::StackOverflow, SIGSEGV, {{"b.c", 1}}).verdict, BugVerdict::Reproduced);
}

} // namespace
