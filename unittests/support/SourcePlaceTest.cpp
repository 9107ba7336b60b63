// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/SourcePlace.h"

#include <gtest/gtest.h>

namespace fathom {
namespace {

TEST(SourcePlace, IsFileAndLine) {
  const std::optional<SourcePlace> place = sourcePlaceFrom("src/a:b.c:12");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->file, "src/a:b.c");
  EXPECT_EQ(place->line, 12u);
  for (const char *text :
       {"", ":", "a.c", "a.c:", ":12", "a.c:0", "a.c:-1", "a.c:1x", "a.c: 1", "a.c:4294967296"})
    EXPECT_FALSE(sourcePlaceFrom(text)) << text;
}

TEST(SourcePlace, FilesAreNamedByWholeComponentsFromTheEnd) {
  EXPECT_TRUE(namesFile("a.c", "/src/lib/a.c"));
  EXPECT_TRUE(namesFile("lib/a.c", "/src/lib/a.c"));
  EXPECT_TRUE(namesFile("/src/lib/a.c", "/src/lib/a.c"));
  EXPECT_FALSE(namesFile("a.c", "/src/lib/aa.c"));
  EXPECT_FALSE(namesFile("b/a.c", "/src/lib/a.c"));
}

TEST(SourcePlace, WithoutFolders) {
  EXPECT_EQ(baseName("/a/b.c"), "b.c");
  EXPECT_EQ(baseName("b.c"), "b.c");
  EXPECT_EQ(shortPlace("src/b.c", 12), "b.c:12");
}

} // namespace
} // namespace fathom
