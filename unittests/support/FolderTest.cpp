// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Folder.h"

#include "support/WriteFile.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace fathom {
namespace {

TEST(Folder, EntriesAreOrderedByName) {
  std::string folder = testing::TempDir() + "/folder-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  for (const char *name : {"b", "a", "c", ".d"}) ASSERT_FALSE(writeFile(folder + "/" + name, ""));
  std::error_code failed;
  std::vector<std::string> names;
  for (const std::filesystem::directory_entry &entry : entriesOf(folder, failed))
    names.push_back(entry.path().filename());
  EXPECT_FALSE(failed);
  EXPECT_EQ(names, (std::vector<std::string>{".d", "a", "b", "c"}));
  EXPECT_TRUE(entriesOf(folder + "/a", failed).empty());
  EXPECT_EQ(failed, std::errc::not_a_directory);
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(entriesOf(folder, failed).empty());
  EXPECT_EQ(failed, std::errc::no_such_file_or_directory);
}

} // namespace
} // namespace fathom
