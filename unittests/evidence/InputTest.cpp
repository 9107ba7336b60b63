// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/Input.h"

#include <gtest/gtest.h>

using namespace fathom::evidence;

TEST(InputId, OfArgumentsIsTheirIndex) {
  EXPECT_EQ(InputId::argument(12).name, "12");
  EXPECT_EQ(InputId::argument(12).argumentIndex(), 12u);
  EXPECT_EQ(InputId::argument(100001).argumentIndex(), std::nullopt) << "no program has so many";
  for (const char *name : {"", "x", "1x", "-1", "99999999999"})
    EXPECT_EQ((InputId{InputKind::Argument, name}.argumentIndex()), std::nullopt) << name;
  EXPECT_EQ(InputId::file("1").argumentIndex(), std::nullopt);
}

TEST(InputId, OfVariablesIsTheirName) {
  EXPECT_EQ(InputId::environment("HOME=/x=y").name, "HOME");
  EXPECT_EQ(InputId::environment("HOME").name, "HOME");
}

TEST(InputId, TellsInputsApart) {
  EXPECT_EQ(InputId::file("stdin"), InputId::file("stdin"));
  EXPECT_NE(InputId::file("stdin"), InputId::standardInput());
  EXPECT_NE(InputId::argument(1), InputId::argument(2));
}
