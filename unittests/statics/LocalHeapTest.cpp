// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What statements and calls do to symbolic heaps, by the issues that are found behind them.
#include "statics/heap/LocalHeap.h"

#include "Analysed.h"

namespace fathom::statics::heap {
namespace {

using evidence::BugKind;

using Issues = std::vector<std::pair<BugKind, Certainty>>;

/// Apart from those that need an allocation to fail.
Issues issuesOf(const std::string &text) {
  const Analysed program(R"(
    declare ptr @malloc(i64)
    declare void @free(ptr)
    declare void @outside(ptr)
    @global = internal global ptr null
  )" + text);
  const View view(*program.flow);
  const std::atomic<bool> stop{false};
  Issues out;
  for (const HeapIssue &one : analyseLocalHeaps(view, {}, 1, stop).issues)
    if (one.certainty != Certainty::Allocation) out.emplace_back(one.issue.kind, one.certainty);
  return out;
}

/// The issues of the program with this in the place of its only HERE.
Issues issuesWith(std::string text, const std::string &here) {
  return issuesOf(text.replace(text.find("HERE"), 4, here));
}

TEST(LocalHeap, AWriteReplacesWhatWasThere) {
  const char *program = R"(
    define i32 @main() {
      %box = alloca ptr
      %n = alloca i32
      store ptr null, ptr %box
      HERE
      %p = load ptr, ptr %box
      store i32 1, ptr %p
      ret i32 0
    })";
  EXPECT_EQ(issuesWith(program, ""), (Issues{{BugKind::NullDereference, Certainty::Must}}));
  EXPECT_EQ(issuesWith(program, "store ptr %n, ptr %box"), Issues{});
  EXPECT_EQ(issuesWith(program, "call void @outside(ptr %box)"), Issues{});
}

TEST(LocalHeap, BothSidesOfABranchKeepTheirConditions) {
  const char *program = R"(
    define i32 @main(i32 %argc) {
    entry:
      %n = alloca i32
      %first = icmp eq i32 %argc, 1
      br i1 %first, label %set, label %join
    set:
      br label %join
    join:
      %p = phi ptr [ null, %set ], [ %n, %entry ]
      %again = icmp eq i32 %argc, HERE
      br i1 %again, label %use, label %end
    use:
      store i32 1, ptr %p
      br label %end
    end:
      ret i32 0
    })";
  EXPECT_EQ(issuesWith(program, "1"), (Issues{{BugKind::NullDereference, Certainty::May}}));
  EXPECT_EQ(issuesWith(program, "2"), Issues{});
}

TEST(LocalHeap, ACalleesEffectsHappenUnderItsConditions) {
  const char *program = R"(
    define internal void @freeIf(ptr %p, i32 %n) {
      %is = icmp sgt i32 %n, 5
      br i1 %is, label %yes, label %no
    yes:
      call void @free(ptr %p)
      ret void
    no:
      ret void
    }
    define i32 @main(i32 %argc, ptr %p) {
      call void @freeIf(ptr %p, i32 HERE)
      %n = load i32, ptr %p
      ret i32 %n
    })";
  EXPECT_EQ(issuesWith(program, "6"), (Issues{{BugKind::UseAfterFree, Certainty::Must}}));
  EXPECT_EQ(issuesWith(program, "5"), Issues{});
  EXPECT_EQ(issuesWith(program, "%argc"), (Issues{{BugKind::UseAfterFree, Certainty::May}}));
}

TEST(LocalHeap, EachCallMakesItsOwnBlock) {
  const char *program = R"(
    define internal ptr @make() {
      %p = call ptr @malloc(i64 4)
      ret ptr %p
    }
    define i32 @main() {
      %a = call ptr @make()
      %b = call ptr @make()
      call void @free(ptr %a)
      HERE
      ret i32 0
    })";
  EXPECT_EQ(issuesWith(program, "store i32 1, ptr %b\ncall void @free(ptr %b)"), Issues{});
  EXPECT_EQ(issuesWith(program, "store i32 1, ptr %a\ncall void @free(ptr %b)"),
            (Issues{{BugKind::UseAfterFree, Certainty::Must}}));
  EXPECT_EQ(issuesWith(program, ""), (Issues{{BugKind::Leak, Certainty::Must}}));
}

TEST(LocalHeap, NullItselfIsNotOfCallers) {
  const char *program = R"(
    define i32 @find(ptr %list, ptr %given) {
      %first = load ptr, ptr %list
      %isEnd = icmp eq ptr %first, null
      br i1 %isEnd, label %end, label %more
    end:
      %n = load volatile i32, ptr HERE
      ret i32 %n
    more:
      ret i32 0
    })";
  EXPECT_EQ(issuesWith(program, "null"), (Issues{{BugKind::NullDereference, Certainty::May}}));
  EXPECT_EQ(issuesWith(program, "%given"), Issues{});
}

} // namespace
} // namespace fathom::statics::heap
