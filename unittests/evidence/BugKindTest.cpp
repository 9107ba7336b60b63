// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/BugKind.h"

#include "../runtime/native/crash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace fathom::evidence;

TEST(BugKind, HasOneRowWhichItsNameFinds) {
  std::set<std::string> names;
  for (const BugKindRow &row : bugKindRows()) {
    EXPECT_EQ(&rowOf(row.kind), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    BugKind found{};
    EXPECT_EQ(bugKindFromName(row.name, found), row.isOfEngine) << row.name;
    if (row.isOfEngine) EXPECT_EQ(found, row.kind);
  }
  EXPECT_EQ(names.size(), kBugKinds);
  BugKind unused{};
  EXPECT_FALSE(bugKindFromName("", unused));
  EXPECT_FALSE(bugKindFromName("use-after", unused));
}

TEST(BugKind, HasASymptomThatFitsItsOtherColumns) {
  for (const BugKindRow &row : bugKindRows()) {
    EXPECT_GT(row.cwe, 0u) << row.name;
    if (row.symptom == Symptom::Signal) EXPECT_NE(row.signals, 0) << row.name;
    // What shows later lets the program go on until then.
    if (row.showsLater) EXPECT_TRUE(row.mayContinueAfter) << row.name;
    if (row.symptom == Symptom::NoEnd) EXPECT_FALSE(row.mayContinueAfter) << row.name;
  }
}

TEST(BugKind, ThatScanReportsHasARule) {
  std::set<BugKind> seen;
  for (const BugKind kind : scanKinds()) {
    EXPECT_TRUE(seen.insert(kind).second) << name(kind);
    ASSERT_NE(rowOf(kind).scanRule, nullptr) << name(kind);
    EXPECT_EQ(std::string(rowOf(kind).scanRule).back(), '.');
  }
}

TEST(BugKind, IsShownByWordsOfSanitizers) {
  using enum Sanitizer;
  EXPECT_TRUE(shows(BugKind::Leak, Leak, "detected memory leaks"));
  EXPECT_FALSE(shows(BugKind::Leak, Address, "detected memory leaks"));
  EXPECT_TRUE(shows(BugKind::SignedOverflow, Undefined, "signed integer overflow: 1 + 2"));
  EXPECT_FALSE(shows(BugKind::SignedOverflow, Undefined, "pointer index expression overflowed"));
  EXPECT_TRUE(shows(BugKind::DivisionByZero, Undefined, "division by zero"));
  EXPECT_FALSE(shows(BugKind::DivisionByZero, Address, "division by zero"));
  EXPECT_TRUE(shows(BugKind::DivisionByZero, Address, "FPE"));
  EXPECT_TRUE(shows(BugKind::UseAfterFree, Address, "heap-buffer-overflow")) << "of a neighbour";
  EXPECT_FALSE(shows(BugKind::UseAfterFree, Undefined, "division by zero"));
  EXPECT_FALSE(shows(BugKind::Hang, Address, "ABRT"));
}

TEST(BugKind, IsFoundByANativeCheck) {
  EXPECT_EQ(kindOfCheck("heap-buffer-overflow", /*isWrite=*/false), BugKind::OutOfBoundsRead);
  EXPECT_EQ(kindOfCheck("heap-buffer-overflow", /*isWrite=*/true), BugKind::OutOfBoundsWrite);
  EXPECT_EQ(kindOfCheck("bad-free", /*isWrite=*/true), BugKind::InvalidFree);
  EXPECT_EQ(kindOfCheck("", /*isWrite=*/true), std::nullopt);
#define FATHOM_HAS_KIND(name, text) EXPECT_TRUE(kindOfCheck(text, /*isWrite=*/false)) << text;
  FATHOM_CHECKS(FATHOM_HAS_KIND)
}

TEST(BugKind, OfTheEngineHasAConditionForThePage) {
  for (const BugKindRow &row : bugKindRows())
    EXPECT_EQ(row.condition != nullptr, row.isOfEngine) << row.name;
}
