// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Groups.h"
#include "evidence/BugKind.h"

#include <gtest/gtest.h>

using namespace fathom::confirm;
using fathom::evidence::BugKind;

static Defect defect(BugKind kind, uint32_t source, uint32_t sink, size_t between = 0) {
  Defect out;
  out.kinds = {kind};
  out.sink = {"/a.c", sink, 1, ""};
  out.steps.push_back({"/a.c", source, 1, ""});
  for (size_t i = 0; i < between; ++i) out.steps.push_back({"/a.c", source + 1, 1, ""});
  return out;
}

TEST(Groups, SameKindsSourceAndSinkAreOne) {
  Groups groups;
  EXPECT_EQ(groups.add(0, defect(BugKind::UseAfterFree, 1, 9, 5), {1}), 0u);
  EXPECT_EQ(groups.add(1, defect(BugKind::UseAfterFree, 2, 9), {1}), 1u);
  EXPECT_EQ(groups.add(2, defect(BugKind::DoubleFree, 1, 9), {1}), 2u);
  EXPECT_EQ(groups.add(3, defect(BugKind::UseAfterFree, 1, 8), {1}), 3u);
  EXPECT_EQ(groups.add(4, defect(BugKind::UseAfterFree, 1, 9, 2), {1}), 0u);
  Defect noSource = defect(BugKind::UseAfterFree, 1, 9);
  noSource.steps.clear();
  EXPECT_EQ(groups.add(5, noSource, {1}), 4u);
  ASSERT_EQ(groups.all().size(), 5u);
  EXPECT_EQ(groups.all()[0].leader, 4u); // fewer steps
}

TEST(Groups, TheLikeliestComesFirst) {
  Groups groups;
  Defect doubtful = defect(BugKind::NullDereference, 1, 2);
  doubtful.doubts = 2;
  groups.add(0, defect(BugKind::Leak, 1, 2), {1});
  groups.add(1, defect(BugKind::NullDereference, 1, 90, 1), {3});
  groups.add(2, doubtful, {1});
  groups.add(3, defect(BugKind::UseAfterFree, 1, 30), {1});
  groups.add(4, defect(BugKind::UseAfterFree, 1, 20), {1});
  groups.add(5, defect(BugKind::UseAfterFree, 11, 30), {1}); // as far as 4, reported later
  EXPECT_EQ(groups.order(), (std::vector<uint32_t>{4, 5, 3, 2, 1, 0}));
}

TEST(Groups, SmallFunctionsComeBeforeLargeOnes) {
  Groups groups;
  groups.add(0, defect(BugKind::NullDereference, 1, 2), {1, 90});
  groups.add(1, defect(BugKind::NullDereference, 3, 9), {1, 4});
  groups.add(2, defect(BugKind::NullDereference, 1, 3), {2, 2});
  EXPECT_EQ(groups.order(), (std::vector<uint32_t>{1, 0, 2}));
}
