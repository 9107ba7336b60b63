// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes share a leaf, and where walks end.
#include "statics/front/Layout.h"

#include <gtest/gtest.h>

namespace fathom::statics {
namespace {

/// struct { int a; char name[12]; struct { long x, y; } points[4]; void *end; }: 88 bytes
struct LayoutTest : testing::Test {
  Layouts layouts;
  LayoutId word = layouts.leaf(8), number = layouts.leaf(4), letter = layouts.leaf(1);
  LayoutId name = layouts.array(letter, 12);
  LayoutId point = layouts.structure(16, {{0, word}, {8, word}});
  LayoutId points = layouts.array(point, 4);
  LayoutId all = layouts.structure(88, {{0, number}, {4, name}, {16, points}, {80, word}});
};

TEST_F(LayoutTest, ElementsShareLeaves) {
  EXPECT_EQ(layouts[all].leaves, 5u);
  EXPECT_EQ(layouts.leafAt(all, 0), 0u);
  EXPECT_EQ(layouts.leafAt(all, 3), 0u);
  for (int64_t o = 4; o < 16; o++) EXPECT_EQ(layouts.leafAt(all, o), 1u);
  for (int64_t i = 0; i < 4; i++) {
    EXPECT_EQ(layouts.leafAt(all, 16 + 16 * i), 2u);
    EXPECT_EQ(layouts.leafAt(all, 16 + 16 * i + 15), 3u);
  }
  EXPECT_EQ(layouts.leafAt(all, 80), 4u);
}

TEST_F(LayoutTest, ObjectsRepeat) {
  for (int64_t o = 0; o < 88; o++) {
    EXPECT_EQ(layouts.leafAt(all, o + 88), layouts.leafAt(all, o));
    EXPECT_EQ(layouts.leafAt(all, o - 880), layouts.leafAt(all, o));
  }
}

TEST_F(LayoutTest, OffsetsLeadBackToLeaves) {
  const uint64_t offsets[] = {0, 4, 16, 24, 80};
  for (uint32_t leaf = 0; leaf < 5; leaf++) {
    EXPECT_EQ(layouts.offsetOf(all, leaf), offsets[leaf]);
    EXPECT_EQ(layouts.leafAt(all, static_cast<int64_t>(offsets[leaf])), leaf);
  }
}

TEST_F(LayoutTest, WalksStayWhereTheStrideFits) {
  EXPECT_EQ(layouts.walk(all, 1, 1), 1u);  // characters of the name
  EXPECT_EQ(layouts.walk(all, 3, 16), 3u); // the y of all points
  EXPECT_EQ(layouts.walk(all, 3, 48), 3u);
  EXPECT_EQ(layouts.walk(all, 4, 88), 4u); // whole objects
  EXPECT_EQ(layouts.walk(all, 3, 8), std::nullopt);
  EXPECT_EQ(layouts.walk(all, 0, 1), std::nullopt);
  EXPECT_EQ(layouts.walk(all, 4, 8), std::nullopt);
}

TEST_F(LayoutTest, AWalkFromAnObjectsFirstByteMayBeOverAllOfIt) {
  LayoutId starts = layouts.structure(24, {{0, name}, {16, word}});
  EXPECT_EQ(layouts.walk(starts, 0, 1), std::nullopt);
  LayoutId only = layouts.structure(12, {{0, name}});
  EXPECT_EQ(layouts.walk(only, 0, 1), 0u);
}

TEST_F(LayoutTest, PaddingBelongsToTheMemberBefore) {
  LayoutId padded = layouts.structure(16, {{0, letter}, {8, word}});
  EXPECT_EQ(layouts.leafAt(padded, 5), 0u);
  LayoutId element = layouts.structure(16, {{0, word}, {8, letter}});
  LayoutId elements = layouts.array(element, 3);
  EXPECT_EQ(layouts.leafAt(elements, 16 + 12), 1u);
}

TEST_F(LayoutTest, LargeTypesAreOneLeaf) {
  std::vector<std::pair<uint64_t, LayoutId>> members;
  for (uint64_t i = 0; i <= Layouts::kMaxLeaves; i++) members.emplace_back(8 * i, word);
  LayoutId large = layouts.structure(8 * members.size(), members);
  EXPECT_EQ(layouts[large].leaves, 1u);
  EXPECT_EQ(layouts.leafAt(large, 4000), 0u);
}

} // namespace
} // namespace fathom::statics
