// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ShownPath.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace fathom::report {
namespace {

TEST(ShownPath, IsRelativeBelowTheWorkingDirectoryOnly) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(shownPath(here + "/src/a.c"), "src/a.c");
  EXPECT_EQ(shownPath(here + "2/a.c"), here + "2/a.c") << "a name that begins with the folder's";
  EXPECT_EQ(shownPath("/elsewhere/a.c"), "/elsewhere/a.c");
  EXPECT_EQ(shownPath("src/a.c"), "src/a.c");
}

} // namespace
} // namespace fathom::report
