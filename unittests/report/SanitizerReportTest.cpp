// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of sanitizers as they stand in the output of real programs, and the bugs they show.
#include "report/SanitizerReport.h"
#include "evidence/BugKind.h"
#include "report/SanitizerPlace.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::report;
using evidence::BugKind;

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

const char *const kUseAfterFree =
    "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x4f\n"
    "READ of size 1 at 0x602 thread T0\n"
    "    #0 0x7f in strlen ../../../../src/libsanitizer/sanitizer_common/interceptors.inc:389\n"
    "    #1 0x55 in operator<(a const&, a const&) /home/a b/src/a.c:12:5\n"
    "    #2 0x55 in main /home/a b/src/a.c:30\n"
    "    #3 0x7f in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58\n"
    "    #4 0x7f in start (/lib/libc.so.6+0x29d8f) (BuildId: 69)\n\n"
    "0x602 is located 0 bytes inside of 16-byte region\nfreed by thread T0 here:\n"
    "    #0 0x7f in free (/lib/libasan.so+0xb0)\n"
    "    #1 0x55 in drops a.c:20\n";

TEST(SanitizerReports, HaveStacks) {
  const SanitizerReport report = only(kUseAfterFree);
  ASSERT_EQ(report.stacks.size(), 2u);
  ASSERT_EQ(report.stacks[0].size(), 5u);
  EXPECT_EQ(report.stacks[0][1].function, "operator<(a const&, a const&)");
  EXPECT_EQ(report.stacks[0][1].file, "/home/a b/src/a.c");
  EXPECT_EQ(report.stacks[0][1].line, 12u);
  EXPECT_EQ(report.stacks[0][1].column, 5u);
  EXPECT_EQ(report.stacks[0][2].line, 30u);
  EXPECT_EQ(report.stacks[0][2].column, 0u);
  EXPECT_EQ(report.stacks[0][4].line, 0u);
  EXPECT_EQ(report.stacks[1][1].file, "a.c");
  const SanitizerReport overflow = only("src/a.c:3:5: runtime error: division by zero");
  ASSERT_EQ(overflow.stacks.size(), 1u);
  EXPECT_EQ(overflow.stacks[0][0].line, 3u);
  EXPECT_TRUE(only("ERROR: LeakSanitizer: detected memory leaks").stacks.empty());
}

/// Frames of src/a.c, in functions that are not compared.
std::vector<evidence::StackFrame> atLines(std::initializer_list<uint32_t> lines) {
  std::vector<evidence::StackFrame> out{{"strlen", "strlen.c", 12, 0, false}};
  for (const uint32_t line : lines) out.push_back({"f", "src/a.c", line, 1, true});
  return out;
}

TEST(SanitizerReports, TellThePlaceOfAnAccess) {
  using enum PlaceAgreement;
  const SanitizerReport report = only(kUseAfterFree);
  const auto with = [&](std::initializer_list<uint32_t> lines) {
    return placeAgreement(report, BugKind::UseAfterFree, atLines(lines));
  };
  EXPECT_EQ(placeText(report, BugKind::UseAfterFree), "a.c:12");
  EXPECT_EQ(with({12, 30}), Same);
  EXPECT_EQ(with({30}), Same) << "inlined there";
  EXPECT_EQ(with({10, 12}), Same) << "inlined in the native program";
  EXPECT_EQ(with({13, 30}), Other) << "the same caller says nothing";
  EXPECT_EQ(with({20, 30}), Other) << "where it was freed is no access";
  EXPECT_EQ(with({}), Unknown);
  EXPECT_EQ(placeAgreement(only("ERROR: AddressSanitizer: SEGV on unknown address 0x0\n"
                                "    #0 0x55 in main (/tmp/p+0x8)\n"),
                           BugKind::NullDereference, atLines({12})),
            Unknown);
  std::vector<evidence::StackFrame> otherFile = atLines({12});
  otherFile.back().file = "src/b.c";
  EXPECT_EQ(placeAgreement(report, BugKind::UseAfterFree, otherFile), Other);
}

/// A library's function without debug information that was not called by code that has some: lines
/// of the stacks behind it are those of the object, and say nothing of the access.
TEST(SanitizerReports, WithoutAPlaceOfTheAccessSayNothing) {
  using enum PlaceAgreement;
  const SanitizerReport report =
      only("==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x4f\n"
           "READ of size 1 at 0x602 thread T0\n"
           "    #0 0x55 in uses (/tmp/p+0x8)\n"
           "    #1 0x55 in main ../src/a.c:30\n\n"
           "freed by thread T0 here:\n    #0 0x7f in free (/lib/libasan.so+0xb0)\n"
           "    #1 0x55 in drops /src/a.c:20\n");
  EXPECT_EQ(placeAgreement(report, BugKind::UseAfterFree, atLines({20})), Unknown);
  EXPECT_EQ(placeAgreement(report, BugKind::UseAfterFree, atLines({12})), Unknown);
  EXPECT_EQ(placeText(report, BugKind::UseAfterFree), "");
}

TEST(SanitizerReports, TellWhereEachLeakWasAllocated) {
  using enum PlaceAgreement;
  const SanitizerReport report =
      only("ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 4 byte(s)\n"
           "    #0 0x7f in malloc (/lib/libasan.so+0xb0)\n"
           "    #1 0x55 in xmalloc /src/a.c:5\n    #2 0x55 in one /src/a.c:40\n\n"
           "Indirect leak of 8 byte(s)\n    #0 0x7f in malloc (/lib/libasan.so+0xb0)\n"
           "    #1 0x55 in xmalloc /src/a.c:5\n    #2 0x55 in two /src/a.c:50\n");
  const auto with = [&](std::initializer_list<uint32_t> lines) {
    return placeAgreement(report, BugKind::Leak, atLines(lines));
  };
  EXPECT_EQ(with({5, 40}), Same);
  EXPECT_EQ(with({5, 50, 60}), Same);
  EXPECT_EQ(with({5}), Same) << "its callers are not known";
  EXPECT_EQ(with({5, 70}), Other) << "the same function, called from elsewhere";
  EXPECT_EQ(with({6}), Other);
}

} // namespace
