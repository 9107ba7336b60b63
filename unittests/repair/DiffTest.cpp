// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: patch(1) makes the new text of the old one and the diff.
#include "repair/Diff.h"

#include "native/Process.h"
#include "support/Rng.h"
#include "support/WriteFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace fathom::repair {
namespace {

class DiffTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("repair-diff", folder_));
    ASSERT_FALSE(llvm::sys::fs::create_directory(folder_ + "/d"));
  }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(folder_); }

  std::string patched(const std::string &before, const std::string &diff) {
    const std::string base = folder_.str().str();
    EXPECT_FALSE(writeFile(base + "/d/x.c", before));
    EXPECT_FALSE(writeFile(base + "/p", diff));
    native::Command command;
    command.program = native::findProgram("patch");
    command.arguments = {"patch", "-p1", "--batch", "--fuzz=0", "-i", base + "/p"};
    command.directory = base;
    command.captureOutput = true;
    const native::Outcome outcome = native::run(command);
    EXPECT_TRUE(outcome.ok()) << outcome.output << outcome.error << diff;
    auto text = llvm::MemoryBuffer::getFile(base + "/d/x.c");
    return text ? (*text)->getBuffer().str() : "no file";
  }

  llvm::SmallString<128> folder_;
};

TEST_F(DiffTest, IsWhatPatchApplies) {
  const std::string before = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
  for (const std::string &after :
       {std::string("a\nb\nc\nd\nE\nf\ng\nh\ni\n"), std::string("A\nb\nc\nd\ne\nf\ng\nh\ni\n"),
        std::string("a\nb\nc\nd\ne\nf\ng\nh\nI\n"), std::string("a\nb\nc\nd\ne\nf\ng\nh\ni"),
        std::string("a\nb\nc\nd\ne\nx\nf\ng\nh\ni\n"), std::string("a\nb\nc\nd\nf\ng\nh\ni\n"),
        std::string("b\nc\nd\ne\nf\ng\nh\ni\n"), std::string("z")}) {
    const std::string diff = unifiedDiff("d/x.c", before, after);
    EXPECT_EQ(patched(before, diff), after) << diff;
  }
  EXPECT_EQ(unifiedDiff("x", before, before), "");
}

TEST_F(DiffTest, OfRandomTextsToo) {
  Rng rng(7);
  for (int round = 0; round < 40; ++round) {
    std::string before, after;
    for (unsigned i = 0, lines = 1 + rng.below(12); i < lines; ++i) {
      const std::string line = std::string(1, static_cast<char>('a' + rng.below(3))) + "\n";
      before += line;
      switch (rng.below(6)) {
      case 0: break;
      case 1: after += "new\n"; [[fallthrough]];
      default: after += line;
      }
    }
    if (rng.below(4) == 0) before.pop_back();
    if (after.empty() || before == after) continue;
    EXPECT_EQ(patched(before, unifiedDiff("d/x.c", before, after)), after);
  }
}

TEST(ReadDiff, TellsFilesLinesAndNames) {
  const std::vector<DiffHunk> hunks = readDiff(
      "From: somebody\n--- a/src/x.c\t2020-01-01\n+++ b/src/x.c\n@@ -10,4 +10,5 @@ int f\n"
      " one\n-  if (i <= len)\n+  if (i < len)\n+    log(\"i\");\n two\n three\n"
      "@@ -30 +31 @@\n-x = y;\n+x = z;\n--- a/two.c\n+++ b/two.c\n@@ -1,2 +1 @@\n a\n-b\n");
  ASSERT_EQ(hunks.size(), 3u);
  EXPECT_EQ(hunks[0].oldFile, "a/src/x.c");
  EXPECT_EQ(hunks[0].lines, (std::vector<uint32_t>{11, 12}));
  EXPECT_EQ(hunks[0].removed, std::vector<std::string>{"  if (i <= len)"});
  EXPECT_EQ(hunks[0].added.size(), 2u);
  EXPECT_EQ(hunks[1].lines, (std::vector<uint32_t>{30, 31}));
  EXPECT_EQ(hunks[2].newFile, "b/two.c");
  EXPECT_EQ(hunks[2].lines, std::vector<uint32_t>{2});
  EXPECT_EQ(changedNames(hunks),
            (std::vector<std::string>{"b", "i", "if", "len", "log", "x", "y", "z"}));
  EXPECT_EQ(stripped("a/src/x.c", 1), "src/x.c");
  EXPECT_EQ(stripped("x.c", 1), "x.c");
  EXPECT_TRUE(readDiff("nothing\n@@ -x +y @@\n").empty());
}

} // namespace
} // namespace fathom::repair
