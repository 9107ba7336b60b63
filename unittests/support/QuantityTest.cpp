// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Quantity.h"

#include <gtest/gtest.h>

using namespace fathom;
using std::chrono::milliseconds;

TEST(Quantity, Durations) {
  EXPECT_EQ(durationFrom("500ms"), milliseconds(500));
  EXPECT_EQ(durationFrom("90"), milliseconds(90'000));
  EXPECT_EQ(durationFrom("1.5s"), milliseconds(1500));
  EXPECT_EQ(durationFrom("1h30m"), milliseconds(5'400'000));
  EXPECT_EQ(durationFrom("2h"), milliseconds(7'200'000));
}

TEST(Quantity, NoDurations) {
  for (const char *text : {"", "0", "-1s", "s", "30m1h", "1h 30m", "5x", "0.5ms", "1e3s", "1s2s"})
    EXPECT_FALSE(durationFrom(text)) << text;
}

TEST(Quantity, Sizes) {
  EXPECT_EQ(sizeFrom("4096"), 4096u);
  EXPECT_EQ(sizeFrom("1k"), 1024u);
  EXPECT_EQ(sizeFrom("512M"), uint64_t(512) << 20);
  EXPECT_EQ(sizeFrom("0.5GB"), uint64_t(1) << 29);
}

TEST(Quantity, NoSizes) {
  for (const char *text : {"", "0", "-1", "G", "4 G", "4GiB", "1e30T"})
    EXPECT_FALSE(sizeFrom(text)) << text;
}
