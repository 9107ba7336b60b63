// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is dismissed, and what is shown again.
#include "report/Dismissals.h"

#include "support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

using namespace fathom;
using report::Dismissals;
using report::Dismissed;

namespace {

class ProjectFolder {
public:
  ProjectFolder() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("fathom-dismissals", path));
    path_ = path.str().str();
  }
  ~ProjectFolder() { llvm::sys::fs::remove_directories(path_); }
  ProjectFolder(const ProjectFolder &) = delete;
  std::string path(const std::string &name) const { return path_ + "/" + name; }

private:
  std::string path_;
};

report::Dismissal leak(const std::string &id, const std::string &place, const std::string &code) {
  return {{id, place, code}, "leak", "f", "src/a.c", "message", "because of " + id, "2026-01-31"};
}

Dismissed stateOf(const Dismissals &all, const report::Identity &identity,
                  const std::string &rule = "leak", const std::string &function = "f") {
  return all.judge({identity, rule, function, "/elsewhere/a.c"}).state;
}

} // namespace

TEST(Dismissals, AreReadAsTheyWereWritten) {
  const ProjectFolder folder;
  Dismissals all;
  all.add(leak("bbbb000000000000", "p", "c"));
  all.add(leak("aaaa000000000000", "", ""));
  all.add(leak("bbbb000000000000", "p", "d")); // replaces the first
  const std::string file = folder.path(Dismissals::kFileName);
  ASSERT_FALSE(all.write(file));
  auto read = Dismissals::read(file);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  ASSERT_EQ(read->all().size(), 2u);
  EXPECT_EQ(read->all()[0].identity.id, "aaaa000000000000");
  EXPECT_EQ(read->all()[1].identity.code, "d");
  EXPECT_EQ(read->all()[1].because, "because of bbbb000000000000");
  EXPECT_EQ(read->matching("bb").size(), 1u);
  EXPECT_EQ(read->removeIf("aaaa").size(), 1u);
  EXPECT_EQ(read->all().size(), 1u);
}

TEST(Dismissals, AreForTheCodeThatTheyWereMadeOf) {
  Dismissals all;
  all.add(leak("aaaa000000000000", "p", "c"));
  all.add(leak("bbbb000000000000", "", ""));
  EXPECT_EQ(stateOf(all, {"aaaa000000000000", "p", "c"}), Dismissed::Yes);
  EXPECT_EQ(stateOf(all, {"aaaa000000000000", "p", "changed"}), Dismissed::Reopened);
  // Code that is not known, of then or of now.
  EXPECT_EQ(stateOf(all, {"aaaa000000000000", "", ""}), Dismissed::Yes);
  EXPECT_EQ(stateOf(all, {"bbbb000000000000", "q", "d"}), Dismissed::Yes);
  // Another function's name, or another way there.
  EXPECT_EQ(stateOf(all, {"cccc000000000000", "p", "c"}, "leak", "g"), Dismissed::Yes);
  EXPECT_EQ(stateOf(all, {"cccc000000000000", "p", "c"}, "abort", "g"), Dismissed::No);
  // An edited line.
  EXPECT_EQ(stateOf(all, {"cccc000000000000", "q", "d"}), Dismissed::Similar);
  EXPECT_EQ(stateOf(all, {"cccc000000000000", "q", "d"}, "leak", "g"), Dismissed::No);
  // Beside it in the same code, there is another one.
  EXPECT_EQ(stateOf(all, {"cccc000000000000", "q", "c"}), Dismissed::No);
}

TEST(Dismissals, AreFoundUpToTheRootOfTheRepository) {
  const ProjectFolder folder;
  ASSERT_FALSE(llvm::sys::fs::create_directories(folder.path("project/.git")));
  ASSERT_FALSE(llvm::sys::fs::create_directories(folder.path("project/src/deep")));
  ASSERT_FALSE(writeFile(folder.path(Dismissals::kFileName), ""));
  EXPECT_EQ(Dismissals::find({folder.path("project/src/deep")}), "");
  const std::string file = folder.path("project/" + std::string(Dismissals::kFileName));
  ASSERT_FALSE(writeFile(file, ""));
  EXPECT_EQ(Dismissals::find({folder.path("project/src/deep")}), file);
  EXPECT_EQ(Dismissals::find({folder.path("none"), folder.path("project/src/a.c")}),
            folder.path(Dismissals::kFileName));
}
