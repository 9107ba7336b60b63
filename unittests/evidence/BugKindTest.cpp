// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/BugKind.h"

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
    if (row.showsLater) EXPECT_TRUE(row.mayGoOnBehind) << row.name;
    if (row.symptom == Symptom::NoEnd) EXPECT_FALSE(row.mayGoOnBehind) << row.name;
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
