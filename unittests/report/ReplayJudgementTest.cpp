// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a signal in a line of the program says of a bug.
#include "report/ReplayJudgement.h"

#include <csignal>
#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::report;
using explore::BugKind;

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

TEST(ReplayJudgement, ADeepRecursionEndsAnywhere) {
  EXPECT_EQ(judged(BugKind::StackOverflow, SIGSEGV, {{"b.c", 1}}).verdict, BugVerdict::Reproduced);
}

} // namespace
