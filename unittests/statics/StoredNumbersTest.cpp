// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/StoredNumbers.h"

#include "Analysed.h"

namespace fathom::statics {
namespace {

using Numbers = std::vector<int64_t>;

Numbers numbersOf(const Analysed &program, const std::string &name) {
  for (const Object &object : program.facts.objects)
    if (object.name == name) return object.numbers;
  ADD_FAILURE() << "no variable " << name;
  return {};
}

TEST(StoredNumbers, ConstantsAndTruthValues) {
  const Analysed program(R"(
    @never = internal global i32 7
    @mode = internal global i32 0
    @flag = internal global i8 1
    @sentinel = internal global ptr inttoptr (i64 -1 to ptr)
    @swapped = internal global i32 0
    define i32 @main(i32 %argc) {
      %more = icmp sgt i32 %argc, 1
      %chosen = select i1 %more, i32 -5, i32 3
      store i32 %chosen, ptr @mode
      %wide = zext i1 %more to i8
      store i8 %wide, ptr @flag
      %old = atomicrmw xchg ptr @swapped, i32 4 seq_cst
      %n = load i32, ptr @never
      ret i32 %n
    })");
  EXPECT_EQ(numbersOf(program, "never"), (Numbers{7}));
  EXPECT_EQ(numbersOf(program, "mode"), (Numbers{-5, 0, 3}));
  EXPECT_EQ(numbersOf(program, "flag"), (Numbers{0, 1}));
  EXPECT_EQ(numbersOf(program, "sentinel"), (Numbers{-1}));
  EXPECT_EQ(numbersOf(program, "swapped"), (Numbers{0, 4}));
}

TEST(StoredNumbers, WhatMayBeAnythingHasNone) {
  const Analysed program(R"(
    @computed = internal global i32 0
    @passed = internal global i32 0
    @kept = internal global i32 0
    @keeper = internal global ptr @kept
    @half = internal global i32 0
    @pair = internal global [2 x i32] zeroinitializer
    @many = internal global i32 0
    @counted = internal global i32 0
    declare void @outside(ptr)
    define i32 @main(i32 %argc) {
      store i32 %argc, ptr @computed
      call void @outside(ptr @passed)
      store i16 1, ptr @half
      %second = getelementptr i8, ptr @pair, i64 4
      store i32 1, ptr %second
      %before = atomicrmw add ptr @counted, i32 1 seq_cst
      store i32 1, ptr @many
      store i32 2, ptr @many
      store i32 3, ptr @many
      store i32 4, ptr @many
      store i32 5, ptr @many
      store i32 6, ptr @many
      store i32 7, ptr @many
      store i32 8, ptr @many
      ret i32 0
    })");
  for (const char *name :
       {"computed", "passed", "kept", "keeper", "half", "pair", "many", "counted"})
    EXPECT_EQ(numbersOf(program, name), Numbers{}) << name;
}

std::optional<int64_t> leastOf(const Analysed &program, const std::string &name) {
  for (const Object &object : program.facts.objects)
    if (object.name == name) return object.least;
  ADD_FAILURE() << "no variable " << name;
  return std::nullopt;
}

TEST(StoredNumbers, WhatOnlyCountsUpHasALeast) {
  const Analysed program(R"(
    @up = internal global i64 7
    @down = internal global i64 7
    @given = internal global i64 0
    @other = internal global i64 0
    @narrow = internal global i16 0
    define i32 @main(i32 %argc) {
      %u = load i64, ptr @up
      %more = add i64 %u, 2
      store i64 %more, ptr @up
      store i64 3, ptr @up
      %d = load i64, ptr @down
      %less = add i64 %d, -1
      store i64 %less, ptr @down
      %wide = sext i32 %argc to i64
      store i64 %wide, ptr @given
      store i64 %more, ptr @other
      %n = load i16, ptr @narrow
      %next = add i16 %n, 1
      store i16 %next, ptr @narrow
      ret i32 0
    })");
  EXPECT_EQ(leastOf(program, "up"), 3);
  for (const char *name : {"down", "given", "other", "narrow"})
    EXPECT_EQ(leastOf(program, name), std::nullopt) << name;
}

TEST(StoredNumbers, PartsOfACheckedSumAreNotTheSum) {
  const Analysed program(R"(
    declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
    define i32 @main(i32 %argc) {
      %both = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %argc, i32 7)
      %sum = extractvalue { i32, i1 } %both, 0
      %overflows = extractvalue { i32, i1 } %both, 1
      %wide = zext i1 %overflows to i32
      %out = add i32 %sum, %wide
      ret i32 %out
    })");
  EXPECT_EQ(program.statement("main", StatementKind::Arithmetic, 1).operation, Operation::Add);
  const Statement &fits = program.statement("main", StatementKind::Compare);
  EXPECT_EQ(fits.extra, static_cast<uint32_t>(Predicate::GreaterEqual));
  EXPECT_EQ(program.facts.numbers.at(program.facts.operandsOf(fits)[1]), -7);
}

} // namespace
} // namespace fathom::statics
