// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/ReadableName.h"

#include "gtest/gtest.h"

namespace fathom {

TEST(ReadableName, OfCStaysAsItIs) {
  EXPECT_EQ(readableName("main"), "main");
  EXPECT_EQ(readableName("_Zebra"), "_Zebra");
  EXPECT_EQ(readableName(""), "");
}

TEST(ReadableName, OfCxxHasNothingOfTheLibrarysVersion) {
  EXPECT_EQ(readableName("_ZL7danglesi"), "dangles(int)");
  EXPECT_EQ(readableName("_ZN5Shape4initEv"), "Shape::init()");
  EXPECT_EQ(readableName("_ZNKSt3__18ios_base5flagsB8se190107Ev"), "std::ios_base::flags() const");
}

} // namespace fathom
