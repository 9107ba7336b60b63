// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/NameTable.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

enum class Fruit { Apple, Pear, Plum, Medlar };
constexpr auto kFruits =
    nameTable<Fruit>({{"apple", Fruit::Apple}, {"pear", Fruit::Pear}, {"plum", Fruit::Plum}});

TEST(NameTable, GoesBothWays) {
  static_assert(kFruits.find("pear") == Fruit::Pear);
  EXPECT_EQ(kFruits.find("Pear"), std::nullopt);
  EXPECT_EQ(kFruits.find(""), std::nullopt);
  EXPECT_EQ(kFruits.nameOf(Fruit::Plum), "plum");
  EXPECT_EQ(kFruits.nameOf(Fruit::Medlar), "");
  EXPECT_EQ(kFruits.names(), "apple, pear or plum");
}

} // namespace
} // namespace fathom
