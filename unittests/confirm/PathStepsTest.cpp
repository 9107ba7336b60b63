// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a confirmed path says of its input.
#include "confirm/PathSteps.h"

#include <gtest/gtest.h>

namespace fathom::confirm {
namespace {

std::string textOf(std::vector<uint8_t> data) {
  const auto values = pathValues({{"stdin", std::move(data)}});
  return values.size() == 1 ? values[0].second : "none";
}

TEST(PathValues, EveryOneHasAText) {
  EXPECT_EQ(textOf({}), "(empty)");
  EXPECT_EQ(textOf({7}), "7");
  EXPECT_EQ(textOf({0, 0, 0}), "3 zero bytes");
  EXPECT_EQ(textOf({0, 0, 0x41, 0, 0, 0}), "00 00 41 and 3 zero bytes");
  EXPECT_EQ(textOf(std::vector<uint8_t>(9)), "none") << "large, and nobody looked at it";
}

} // namespace
} // namespace fathom::confirm
