// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/PatchedProgram.h"

#include "support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

namespace fathom::repair {
namespace {

/// A "program" that a build copies from its source: a shell script.
class PatchedProgramTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("repair-subject", folder_));
    for (const char *name : {"/s", "/s/d", "/s/.git", "/c"})
      ASSERT_FALSE(llvm::sys::fs::create_directory(folder_ + name));
    ASSERT_FALSE(writeFile(path("s/d/x"), "one\ntwo\nthree\n"));
    ASSERT_FALSE(writeFile(path("s/.git/y"), ""));
  }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(folder_); }
  std::string path(const std::string &name) const { return (folder_ + "/" + name).str(); }

  PatchedProgram subject(const std::string &build = "cp d/x out") {
    PatchedProgramOptions options;
    options.source = path("s");
    options.scratch = path("c");
    options.build = build;
    options.program = "out";
    options.tests = {"grep -q two \"$FATHOM_PROGRAM\"", "test \"$WORD\" = ok", "sleep 60",
                     "nothere"};
    options.testTime = std::chrono::milliseconds(1500);
    llvm::Expected<PatchedProgram> made = PatchedProgram::create(std::move(options));
    EXPECT_TRUE(bool(made));
    return std::move(*made);
  }
  static std::string text(const std::string &path) {
    auto data = llvm::MemoryBuffer::getFile(path);
    return data ? (*data)->getBuffer().str() : "none";
  }
  static std::string reason(llvm::Error error) { return llvm::toString(std::move(error)); }

  llvm::SmallString<128> folder_;
};

TEST_F(PatchedProgramTest, IsChangedBuiltTestedAndRestored) {
  PatchedProgram s = subject();
  EXPECT_EQ(text(s.copy() + "/.git/y"), "none");
  EXPECT_EQ(reason(s.build()), "");
  EXPECT_TRUE(s.test(0, s.program()).ok());
  EXPECT_EQ(reason(s.change("d/x", "other\n")), "");
  EXPECT_EQ(reason(s.build()), "");
  EXPECT_FALSE(s.test(0, s.program()).ok());
  EXPECT_EQ(text(path("s/d/x")), "one\ntwo\nthree\n") << "the sources stay";
  EXPECT_EQ(reason(s.restore()), "");
  EXPECT_EQ(text(s.copy() + "/d/x"), "one\ntwo\nthree\n");
  EXPECT_TRUE(s.test(1, s.program(), {"WORD=ok"}).ok());
  EXPECT_EQ(s.test(2, s.program()).kind, native::Outcome::Kind::TimedOut);
  EXPECT_TRUE(couldNotRun(s.test(3, s.program())));
  EXPECT_FALSE(couldNotRun(s.test(1, s.program())));
}

TEST_F(PatchedProgramTest, AppliesPatchesWholeOrNotAtAll) {
  PatchedProgram s = subject();
  auto apply = [&](const std::string &diff) {
    EXPECT_FALSE(writeFile(path("p"), diff));
    llvm::Expected<std::vector<DiffHunk>> hunks = s.apply(path("p"));
    if (!hunks) return reason(hunks.takeError());
    for (const DiffHunk &hunk : *hunks)
      EXPECT_TRUE(hunk.newFile == "d/x" || hunk.newFile == "d/new") << hunk.newFile;
    return std::string();
  };
  const std::string good = "--- a/d/x\n+++ b/d/x\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
  EXPECT_EQ(apply(good), "");
  EXPECT_EQ(text(s.copy() + "/d/x"), "one\n2\nthree\n");
  EXPECT_EQ(reason(s.restore()), "");
  // Without a folder to strip, and with a new file.
  EXPECT_EQ(apply("--- d/x\n+++ d/x\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
                  "--- /dev/null\n+++ d/new\n@@ -0,0 +1 @@\n+n\n"),
            "");
  EXPECT_EQ(text(s.copy() + "/d/new"), "n\n");
  EXPECT_EQ(reason(s.restore()), "");
  EXPECT_EQ(text(s.copy() + "/d/new"), "none");
  EXPECT_EQ(text(s.copy() + "/d/x"), "one\ntwo\nthree\n");
  // The new file first: another one of the diff says that no folder is to be stripped.
  EXPECT_EQ(apply("--- /dev/null\n+++ d/new\n@@ -0,0 +1 @@\n+n\n"
                  "--- d/x\n+++ d/x\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"),
            "");
  EXPECT_EQ(text(s.copy() + "/d/new"), "n\n");
  EXPECT_EQ(reason(s.restore()), "");
  // The second file's hunk fails: the first is as it was.
  EXPECT_NE(apply(good + "--- a/d/y\n+++ b/d/y\n@@ -1 +1 @@\n-a\n+b\n"), "");
  EXPECT_EQ(text(s.copy() + "/d/x"), "one\ntwo\nthree\n");
  EXPECT_NE(apply("--- a/d/x\n+++ b/d/x\n@@ -1,3 +1,3 @@\n uno\n-dos\n+2\n tres\n")
                .find("does not apply"),
            std::string::npos);
  EXPECT_EQ(apply("nothing\n"), "it has no hunk");
  EXPECT_NE(apply("--- a/../../z\n+++ b/../../z\n@@ -0,0 +1 @@\n+n\n").find("no file below"),
            std::string::npos);
}

TEST_F(PatchedProgramTest, RestoresWhatAPatchRenames) {
  PatchedProgram s = subject();
  auto apply = [&](const std::string &diff) {
    EXPECT_FALSE(writeFile(path("p"), diff));
    llvm::Expected<std::vector<DiffHunk>> hunks = s.apply(path("p"));
    return hunks ? "" : reason(hunks.takeError());
  };
  auto expectRestored = [&] {
    EXPECT_EQ(reason(s.restore()), "");
    EXPECT_EQ(text(s.copy() + "/d/x"), "one\ntwo\nthree\n");
    EXPECT_EQ(text(s.copy() + "/e/y"), "none");
  };
  const std::string hunk = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
  // The folder d goes with its only file.
  EXPECT_EQ(apply("diff --git a/d/x b/e/y\nrename from d/x\nrename to e/y\n"
                  "--- a/d/x\n+++ b/e/y\n" +
                  hunk),
            "");
  EXPECT_EQ(text(s.copy() + "/d/x"), "none");
  EXPECT_EQ(text(s.copy() + "/e/y"), "one\n2\nthree\n");
  expectRestored();
  // Only one of the names is that of a file: the one that patch changes.
  EXPECT_EQ(apply("--- a/d/x\n+++ b/e/y\n" + hunk), "");
  EXPECT_EQ(text(s.copy() + "/d/x"), "one\n2\nthree\n");
  expectRestored();
  // Renamed without a hunk.
  EXPECT_EQ(apply("diff --git a/d/x b/e/y\nsimilarity index 100%\nrename from d/x\n"
                  "rename to e/y\ndiff --git a/d/new b/d/new\nnew file mode 100644\n--- "
                  "/dev/null\n+++ b/d/new\n@@ -0,0 +1 @@\n+n\n"),
            "");
  EXPECT_EQ(text(s.copy() + "/d/x"), "none");
  expectRestored();
}

TEST_F(PatchedProgramTest, NoNameOfASourceIsInTheWay) {
  PatchedProgramOptions options;
  options.source = path("s");
  options.scratch = path("c");
  options.files = {"source.c"};
  ASSERT_FALSE(writeFile(path("s/source.c"), ""));
  llvm::Expected<PatchedProgram> made = PatchedProgram::create(std::move(options));
  ASSERT_TRUE(bool(made));
  EXPECT_EQ(text(made->copy() + "/source.c"), "");
  EXPECT_FALSE(llvm::sys::fs::exists(made->program()));
  EXPECT_TRUE(llvm::sys::fs::exists(llvm::sys::path::parent_path(made->program())));
}

TEST_F(PatchedProgramTest, SaysThatAFileCannotBeCopied) {
  PatchedProgramOptions options;
  options.source = path("s");
  options.scratch = path("c");
  options.files = {"source.c"};
  ASSERT_FALSE(writeFile(path("s/source.c"), ""));
  ASSERT_FALSE(llvm::sys::fs::create_directories(path("c/source/source.c/in-the-way")));
  llvm::Expected<PatchedProgram> made = PatchedProgram::create(std::move(options));
  ASSERT_FALSE(bool(made));
  EXPECT_NE(reason(made.takeError()).find("cannot be copied"), std::string::npos);
}

TEST_F(PatchedProgramTest, SaysWhyABuildFails) {
  EXPECT_EQ(reason(subject("echo hm; echo 'x.c:1: error: no'; exit 3").build()),
            "exit status 3: x.c:1: error: no");
}

TEST_F(PatchedProgramTest, DoesNotTakeAnOldProgramForANewOne) {
  EXPECT_NE(reason(subject("true").build()).find("it leaves no"), std::string::npos);
}

} // namespace
} // namespace fathom::repair
