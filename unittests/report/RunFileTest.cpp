// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/RunFile.h"

#include <gtest/gtest.h>

using namespace fathom::report;

namespace {

std::vector<RunLibrary> librariesIn(const std::string &text) {
  llvm::Expected<llvm::json::Value> run = llvm::json::parse(text);
  EXPECT_TRUE(static_cast<bool>(run)) << text;
  return librariesOf(*run->getAsObject());
}

TEST(RunFile, Libraries) {
  // By name, by path, by a path from where the run was started; and a name like what is added.
  auto libraries = librariesIn(R"JSON({"working_directory": "/there", "libraries": [
    "libz.so.1", "/a b/lib.so (SHA-256 00ff)", "./lib.so (SHA-256 12)", "x (SHA-256 y)/z.so (SHA-256 3)"]})JSON");
  ASSERT_EQ(libraries.size(), 4u);
  EXPECT_EQ(libraries[0].path, "libz.so.1");
  EXPECT_EQ(libraries[0].sha256, "");
  EXPECT_EQ(libraries[1].path, "/a b/lib.so");
  EXPECT_EQ(libraries[1].sha256, "00ff");
  EXPECT_EQ(libraries[2].path, "/there/./lib.so");
  EXPECT_EQ(libraries[2].sha256, "12");
  EXPECT_EQ(libraries[3].path, "/there/x (SHA-256 y)/z.so");
  EXPECT_EQ(libraries[3].sha256, "3");
}

TEST(RunFile, NoLibraries) {
  EXPECT_TRUE(librariesIn("{}").empty());
  EXPECT_TRUE(librariesIn(R"({"libraries": []})").empty());
  EXPECT_EQ(librariesIn(R"({"libraries": ["lib/a.so"]})").at(0).path, "lib/a.so");
}

} // namespace
