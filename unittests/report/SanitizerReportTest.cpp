// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of sanitizers as they stand in the output of real programs, and the bugs they show.
#include "report/SanitizerReport.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::report;
using explore::BugKind;

namespace {

SanitizerReport only(const std::string &text) {
  std::vector<SanitizerReport> reports = sanitizerReports(text);
  EXPECT_EQ(reports.size(), 1u) << text;
  return reports.empty() ? SanitizerReport() : reports.front();
}

TEST(SanitizerReports, SummariesAreNone) {
  EXPECT_EQ(only("\n=====\n==7==ERROR: LeakSanitizer: detected memory leaks\n\n"
                 "Direct leak of 16 byte(s) in 1 object(s) allocated from:\n"
                 "    #0 0x4c in malloc\n\n"
                 "SUMMARY: AddressSanitizer: 16 byte(s) leaked in 1 allocation(s).\n")
                .text(),
            "LeakSanitizer: detected memory leaks");
  EXPECT_EQ(only("==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x4f\n"
                 "SUMMARY: AddressSanitizer: heap-use-after-free a.c:3 in main\n")
                .text(),
            "AddressSanitizer: heap-use-after-free");
}

TEST(SanitizerReports, KindsOfSeveralWords) {
  EXPECT_EQ(
      only("==7==ERROR: AddressSanitizer: attempting double-free on 0x602 in thread T0:").what,
      "attempting double-free");
  EXPECT_EQ(only("==7==ERROR: AddressSanitizer: attempting free on address which was not "
                 "malloc()-ed: 0x602 in thread T0")
                .what,
            "attempting free on address which was not malloc()-ed");
  EXPECT_EQ(only("==7==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x4f)").what,
            "SEGV");
  EXPECT_EQ(only("==7==WARNING: MemorySanitizer: use-of-uninitialized-value").what,
            "use-of-uninitialized-value");
  EXPECT_EQ(
      only("a.c:3:5: runtime error: shift exponent 32 is too large for 32-bit type 'int'").text(),
      "UndefinedBehaviorSanitizer: shift exponent 32 is too large for 32-bit type 'int'");
}

TEST(SanitizerReports, AllInOrder) {
  std::vector<SanitizerReport> reports =
      sanitizerReports("a.c:3:5: runtime error: division by zero\nwords\n"
                       "==7==ERROR: AddressSanitizer: FPE on unknown address 0x5 (pc 0x5)\n");
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].tool, SanitizerReport::Tool::Undefined);
  EXPECT_EQ(reports[1].what, "FPE");
  EXPECT_TRUE(sanitizerReports("no AddressSanitizer: here\nruntime errors\n").empty());
}

TEST(SanitizerReports, ShowTheBugsThatTheyAreAbout) {
  const SanitizerReport leak = only("ERROR: LeakSanitizer: detected memory leaks"),
                        overflow = only("runtime error: signed integer overflow: 1 + 2147483647 "
                                        "cannot be represented in type 'int'"),
                        shift = only("runtime error: left shift of 1 by 31 places cannot be "
                                     "represented in type 'int'"),
                        heap = only("ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6");
  EXPECT_TRUE(shows(leak, BugKind::Leak));
  EXPECT_FALSE(shows(leak, BugKind::OutOfBoundsRead));
  EXPECT_TRUE(shows(overflow, BugKind::SignedOverflow));
  EXPECT_FALSE(shows(overflow, BugKind::Leak));
  EXPECT_TRUE(shows(shift, BugKind::Overshift));
  EXPECT_FALSE(shows(shift, BugKind::SignedOverflow));
  EXPECT_TRUE(shows(heap, BugKind::OutOfBoundsWrite));
  EXPECT_TRUE(shows(heap, BugKind::UseAfterFree));
  EXPECT_FALSE(shows(heap, BugKind::SignedOverflow));
}

} // namespace
