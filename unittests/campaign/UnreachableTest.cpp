// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Unreachable.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace fathom::campaign;

namespace {

UnreachableElements elementsOf(const std::string &text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  return module ? unreachableElements(*module) : UnreachableElements{};
}

/// A letter for each: `.` nothing is known, u uncalled, c condition, b behind.
std::string letters(const std::vector<Unreachable> &elements) {
  std::string out;
  for (Unreachable reason : elements) out += ".ucb"[static_cast<size_t>(reason)];
  return out;
}

std::string blocksOf(const std::string &text) { return letters(elementsOf(text).blocks); }

/// Sides of the branches of main, where %a and %b are unknown numbers of 32 bits, %p a pointer.
/// Blocks begin with `entry`; `yes` and `no` return.
std::string sidesOf(const std::string &body) {
  return letters(elementsOf("declare i32 @llvm.umin.i32(i32, i32)\n"
                            "declare void @other()\n"
                            "define i32 @main(i32 %a, i32 %b, ptr %p) {\nentry:\n" +
                            body + "yes:\n ret i32 1\nno:\n ret i32 0\n}\n")
                     .sides);
}

} // namespace

// Chains of calls from main count; cycles without a call from outside do not.
TEST(Unreachable, Chains) {
  EXPECT_EQ(blocksOf(R"(
    define void @leaf() { ret void }
    define void @middle() { call void @leaf() ret void }
    define void @orphan() { call void @leaf() call void @other() ret void }
    define void @other() { call void @orphan() ret void }
    define i32 @main() { call void @middle() ret i32 0 })"),
            "..uu.");
}

// Whose address is somewhere may be called from anywhere: a table, an argument, a pointer that is
// stored, also by a function that itself is never called.
TEST(Unreachable, Addresses) {
  EXPECT_EQ(blocksOf(R"(
    @table = global [1 x ptr] [ptr @inTable]
    declare void @atexit(ptr)
    define void @inTable() { call void @behindTable() ret void }
    define void @behindTable() { ret void }
    define void @handler() { ret void }
    define void @stored() { ret void }
    define void @orphan(ptr %p) { store ptr @stored, ptr %p ret void }
    define i32 @main() { call void @atexit(ptr @handler) ret i32 0 })"),
            "....u.");
}

// The side that holds comes second: side 0 of a branch is that of a condition that does not hold.
TEST(Unreachable, Arithmetic) {
  EXPECT_EQ(sidesOf("%m = mul i32 %a, %a\n %r = urem i32 %m, 32\n %c = icmp eq i32 %r, 5\n"
                    "br i1 %c, label %yes, label %no\n"),
            ".c")
      << "no square is 5 modulo 32";
  EXPECT_EQ(sidesOf("%m = mul i32 %a, %a\n %r = urem i32 %m, 32\n %c = icmp eq i32 %r, 4\n"
                    "br i1 %c, label %yes, label %no\n"),
            "..");
  EXPECT_EQ(sidesOf("%m = call i32 @llvm.umin.i32(i32 %a, i32 %b)\n %c = icmp ule i32 %m, %a\n"
                    "br i1 %c, label %yes, label %no\n"),
            "c.");
}

// Signed overflow happens: the machine's arithmetic wraps.
TEST(Unreachable, OverflowIsNotExcluded) {
  EXPECT_EQ(sidesOf("%m = add nsw i32 %a, 1\n %c = icmp slt i32 %m, %a\n"
                    "br i1 %c, label %yes, label %no\n"),
            "..");
  EXPECT_EQ(sidesOf("%m = shl i32 %a, 40\n %c = icmp eq i32 %m, 5\n"
                    "br i1 %c, label %yes, label %no\n"),
            "..")
      << "a shift by too much gives anything";
}

TEST(Unreachable, LoadsOfTheSameMemory) {
  const std::string load = "%x = load i32, ptr %p\n",
                    again = "%y = load i32, ptr %p\n"
                            "%c = icmp eq i32 %x, %y\n br i1 %c, label %yes, label %no\n";
  EXPECT_EQ(sidesOf(load + again), "c.");
  EXPECT_EQ(sidesOf(load + "call void @other()\n" + again), "..");
  EXPECT_EQ(sidesOf(load + "store i32 %a, ptr %p\n" + again), "..");
  // In the block that only this one leads to; not where another way joins.
  EXPECT_EQ(sidesOf(load + "br label %next\nnext:\n" + again), "c.");
  EXPECT_EQ(sidesOf(load +
                    "%w = icmp eq i32 %a, 0\n br i1 %w, label %join, label %side\n"
                    "side:\n store i32 %b, ptr %p\n br label %join\njoin:\n" +
                    again),
            "....");
  EXPECT_EQ(sidesOf("%q = getelementptr i8, ptr %p, i64 4\n %x = load i32, ptr %q\n"
                    "%r = getelementptr i8, ptr %p, i64 4\n %y = load i32, ptr %r\n"
                    "%c = icmp eq i32 %x, %y\n br i1 %c, label %yes, label %no\n"),
            "c.")
      << "fields";
  EXPECT_EQ(sidesOf("%x = load volatile i32, ptr %p\n %y = load volatile i32, ptr %p\n"
                    "%c = icmp eq i32 %x, %y\n br i1 %c, label %yes, label %no\n"),
            "..");
}

// What a variable that is not initialised holds is not the same at every use.
TEST(Unreachable, Uninitialised) {
  EXPECT_EQ(sidesOf("%v = alloca i32\n %x = load i32, ptr %v\n %c = icmp eq i32 %x, 7\n"
                    "br i1 %c, label %yes, label %no\n"),
            "..");
  EXPECT_EQ(sidesOf("%c = icmp ult i32 undef, undef\n br i1 %c, label %yes, label %no\n"), "..");
}

TEST(Unreachable, DominatingConditions) {
  EXPECT_EQ(sidesOf("%c = icmp ult i32 %a, 10\n br i1 %c, label %small, label %no\n"
                    "small:\n %d = icmp ugt i32 %a, 20\n br i1 %d, label %yes, label %no\n"),
            "...c");
  // The other way into `small` says nothing.
  EXPECT_EQ(sidesOf("%c = icmp ult i32 %a, 10\n br i1 %c, label %small, label %big\n"
                    "big:\n %e = icmp eq i32 %b, 0\n br i1 %e, label %small, label %no\n"
                    "small:\n %d = icmp ugt i32 %a, 20\n br i1 %d, label %yes, label %no\n"),
            "......");
}

// A value of the loop's last round is another one than that of this round.
TEST(Unreachable, Loops) {
  EXPECT_EQ(sidesOf("br label %loop\n"
                    "loop:\n %i = phi i32 [ 0, %entry ], [ %n, %next ]\n"
                    "%c = icmp ult i32 %i, 10\n br i1 %c, label %next, label %no\n"
                    "next:\n %n = add i32 %i, 1\n %d = icmp eq i32 %n, 10\n"
                    "br i1 %d, label %yes, label %loop\n"),
            "....");
}

TEST(Unreachable, OneOfAFewConstants) {
  const std::string phi = "%c = icmp eq i32 %a, 0\n br i1 %c, label %one, label %two\n"
                          "one:\n br label %join\n two:\n br label %join\n"
                          "join:\n %v = phi i32 [ 1, %one ], [ 2, %two ]\n";
  EXPECT_EQ(sidesOf(phi + "%d = icmp ugt i32 %v, 2\n br i1 %d, label %yes, label %no\n"), "...c");
  EXPECT_EQ(sidesOf(phi + "%d = icmp eq i32 %v, 2\n br i1 %d, label %yes, label %no\n"), "....");
}

// Labels with one target are one side, which can be taken when one of them can.
TEST(Unreachable, Switches) {
  const std::string masked = "%m = and i32 %a, 3\n";
  EXPECT_EQ(sidesOf(masked + "switch i32 %m, label %no [ i32 0, label %yes i32 1, label %yes "
                             "i32 2, label %yes i32 3, label %yes ]\n"),
            "c.");
  EXPECT_EQ(sidesOf(masked + "switch i32 %m, label %no [ i32 4, label %yes i32 1, label %yes ]\n"),
            "..");
  EXPECT_EQ(sidesOf(masked + "switch i32 %m, label %no [ i32 4, label %yes i32 5, label %yes ]\n"),
            ".c");
}

// A block that nothing leads to, as a jump into a loop leaves one.
TEST(Unreachable, BlocksWithoutAWayIn) {
  EXPECT_EQ(sidesOf("br label %yes\n"
                    "alone:\n %c = icmp eq i32 %a, 0\n br i1 %c, label %yes, label %no\n"),
            "bb");
}

// The fuzzed code is compiled as it stands: what attributes promise may not hold in it.
TEST(Unreachable, AttributesAreNotBelieved) {
  const std::string test = "%c = icmp eq ptr %p, null br i1 %c, label %x, label %y x: ret i32 0 y: "
                           "ret i32 1 }";
  EXPECT_EQ(
      letters(elementsOf("define i32 @main(ptr nonnull dereferenceable(8) %p) { " + test).sides),
      "..");
  EXPECT_EQ(letters(elementsOf("declare nonnull ptr @give()\n"
                               "define i32 @main() { %p = call nonnull ptr @give() " +
                               test)
                        .sides),
            "..");
  EXPECT_EQ(
      letters(
          elementsOf(
              "define i32 @twice() #0 { ret i32 1 }\n"
              "define i32 @main() { %x = call i32 @twice() #0 %y = call i32 @twice() #0\n"
              "%c = icmp eq i32 %x, %y br i1 %c, label %s, label %d s: ret i32 0 d: ret i32 1 }\n"
              "attributes #0 = { memory(none) nounwind willreturn }")
              .sides),
      "..");
  EXPECT_EQ(letters(elementsOf(
                        "define i32 @main(ptr noalias %p, ptr noalias %q) { %x = load i32, ptr %p\n"
                        "store i32 1, ptr %q %y = load i32, ptr %p %c = icmp eq i32 %x, %y\n"
                        "br i1 %c, label %s, label %d s: ret i32 0 d: ret i32 1 }")
                        .sides),
            "..");
  EXPECT_EQ(
      letters(elementsOf(
                  "define i32 @main(i32 %s, i1 %w) { br i1 %w, label %one, label %two\n"
                  "one: %o = or i32 %s, 32 %h = shl i32 5, %o br label %join two: br label %join\n"
                  "join: %v = phi i32 [ %h, %one ], [ 5, %two ] %c = icmp eq i32 %v, 5\n"
                  "br i1 %c, label %x, label %y x: ret i32 0 y: ret i32 1 }")
                  .sides),
      "....");
}

// A function that is named in assembly may be called from there.
TEST(Unreachable, Assembly) {
  EXPECT_EQ(blocksOf("module asm \"call helper\"\n"
                     "define void @helper() { ret void } define void @other() { ret void }\n"
                     "define i32 @main() { ret i32 0 }"),
            ".u.");
}

// What only an impossible side leads to is not covered, and whom only that calls is not called.
TEST(Unreachable, Behind) {
  const UnreachableElements elements = elementsOf(R"(
    define void @never() { ret void }
    define i32 @main(i32 %a) {
      %o = or i32 %a, 1
      %c = icmp eq i32 %o, 0
      br i1 %c, label %dead, label %end
    dead:
      call void @never()
      %d = icmp eq i32 %a, 5
      br i1 %d, label %deader, label %end
    deader:
      br label %end
    end:
      ret i32 0
    })");
  EXPECT_EQ(letters(elements.blocks), "u.bb.");
  EXPECT_EQ(letters(elements.sides), ".cbb");
}

// The analysis works on a copy.
TEST(Unreachable, TheModuleStays) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(
      "define i32 @main(i32 %a) { %v = alloca i32 store i32 %a, ptr %v %x = load i32, ptr %v\n"
      "%y = add nsw i32 %x, 1 ret i32 %y }",
      problem, context);
  std::string before, after;
  llvm::raw_string_ostream(before) << *module;
  unreachableElements(*module);
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after);
}
