// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/ObjectSymbols.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace fathom::program;

namespace {

TEST(ObjectSymbols, Refuses) {
  llvm::StringSet<> names;
  EXPECT_NE(llvm::toString(addDefinedSymbols("/none/x.o", names)).find("/none/x.o"),
            std::string::npos);
  EXPECT_NE(llvm::toString(addDefinedSymbols(__FILE__, names)).find("ObjectSymbolsTest"),
            std::string::npos);
  EXPECT_TRUE(names.empty());
}

TEST(ObjectSymbols, DefinedOnesOnly) {
  llvm::StringSet<> names;
  ASSERT_FALSE(static_cast<bool>(addDefinedSymbols("/proc/self/exe", names)));
  EXPECT_TRUE(names.contains("main"));
  EXPECT_FALSE(names.contains("getenv"));                // libc has it
  EXPECT_EQ(getenv("FATHOM_NO_SUCH_VARIABLE"), nullptr); // so that it is used
}

} // namespace
