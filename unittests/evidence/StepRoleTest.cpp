// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/StepRole.h"

#include "evidence/BugKind.h"

#include <gtest/gtest.h>
#include <vector>

using namespace fathom::evidence;

static StepRole ofSarif(std::vector<std::string_view> kinds) { return stepRoleOfSarif(kinds); }

TEST(StepRole, IsFoundByItsName) {
  for (const StepRoleRow &row : stepRoleRows()) EXPECT_EQ(stepRoleFromName(row.name), row.role);
  EXPECT_EQ(stepRoleFromName(""), std::nullopt);
  EXPECT_EQ(stepRoleFromName("Frees"), std::nullopt);
}

TEST(StepRole, SarifsKindsSayItInAnyOrder) {
  EXPECT_EQ(ofSarif({"memory", "release"}), StepRole::Frees);
  EXPECT_EQ(ofSarif({"acquire", "memory"}), StepRole::Allocates);
  EXPECT_EQ(ofSarif({"branch", "false"}), StepRole::FalseSide);
  EXPECT_EQ(ofSarif({"acquire", "lock"}), StepRole::Unknown);
  EXPECT_EQ(ofSarif({"value"}), StepRole::Unknown); // may be anything
  EXPECT_EQ(ofSarif({}), StepRole::Unknown);
}

TEST(StepRole, BeginsDefectsOfItsKinds) {
  EXPECT_TRUE(isSourceOf(BugKind::DoubleFree, StepRole::Closes));
  EXPECT_TRUE(isSourceOf(BugKind::NullDereference, StepRole::MaybeNull));
  EXPECT_FALSE(isSourceOf(BugKind::NullDereference, StepRole::Frees));
  EXPECT_FALSE(isSourceOf(BugKind::UseAfterFree, StepRole::Defect));
  EXPECT_FALSE(isSourceOf(BugKind::Hang, StepRole::Frees));
}
