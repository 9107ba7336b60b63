// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a confirmed path says of its input.
#include "confirm/PathValues.h"

#include <gtest/gtest.h>

namespace fathom::confirm {
namespace {

std::string textOf(std::vector<uint8_t> data) {
  const PathValues values = pathValues({{"stdin", std::move(data)}}, {});
  return values.shown.size() == 1 ? values.shown[0].second : "none";
}

TEST(PathValues, EveryOneHasAText) {
  EXPECT_EQ(textOf({}), "(empty)");
  EXPECT_EQ(textOf({7}), "7");
  EXPECT_EQ(textOf({0, 0, 0}), "3 zero bytes");
  EXPECT_EQ(textOf({0, 0, 0x41, 0, 0, 0}), "00 00 41 and 3 zero bytes");
  EXPECT_EQ(textOf(std::vector<uint8_t>(9)), "none") << "large, and nobody looked at it";
}

TEST(PathValues, WhatDecidesComesFirstAndTheRestIsCounted) {
  std::vector<explore::SymbolValue> symbols;
  for (int i = 0; i < 20; ++i) symbols.push_back({"zero" + std::to_string(i), {0, 0, 0, 0}});
  symbols.push_back({"*p", std::vector<uint8_t>(512)});
  symbols.back().data[8] = 9;
  symbols.push_back({"n", {7, 0, 0, 0}});
  const PathValues values =
      pathValues(symbols, {{"n", 0, 4}, {"*p", 8, 4}, {"of another path", 0, 4}, {"*p", 9, 1}});
  const std::vector<std::pair<std::string, std::string>> expected = {{"n", "7"}, {"*p at 8", "9"}};
  EXPECT_EQ(values.shown, expected);
  EXPECT_EQ(values.more, 20u);
}

TEST(PathValues, BytesOfATextAreOne) {
  const PathValues values = pathValues({{"*s", {'a', '"', 0, 0, 0}}}, {{"*s", 0, 3, true}});
  ASSERT_EQ(values.shown.size(), 1u);
  EXPECT_EQ(values.shown[0].second, R"("a\x22")");
}

TEST(PathValues, NoMoreThanADozen) {
  std::vector<explore::SymbolValue> symbols;
  for (int i = 0; i < 20; ++i) symbols.push_back({"n" + std::to_string(i), {1}});
  const PathValues first = pathValues(symbols, {});
  EXPECT_EQ(first.shown.size(), 12u);
  EXPECT_EQ(first.shown[0].first, "n0");
  EXPECT_EQ(first.more, 8u);
  std::vector<ValueUse> uses;
  for (int i = 20; i-- > 5;) uses.push_back({"n" + std::to_string(i), 0, 1});
  const PathValues deciding = pathValues(symbols, uses);
  EXPECT_EQ(deciding.shown.size(), 12u);
  EXPECT_EQ(deciding.shown[0].first, "n19");
  EXPECT_EQ(deciding.more, 8u);
}

} // namespace
} // namespace fathom::confirm
