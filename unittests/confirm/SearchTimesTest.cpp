// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/SearchTimes.h"

#include <gtest/gtest.h>

using namespace fathom::confirm;
using namespace std::chrono_literals;

TEST(SearchTimes, GrowWithTheTimeOfAReport) {
  SearchTimes usual;
  usual.other = 0ms;
  const SearchTimes longer = usual.of(60s);
  EXPECT_EQ(longer.callers, 18s);
  EXPECT_EQ(longer.deeper, 6s);
  EXPECT_EQ(longer.other, 0ms); // what was turned off stays so
  for (const auto time : {500ms, 10000ms, 19000ms}) EXPECT_EQ(usual.of(time).callers, 3s);
}
