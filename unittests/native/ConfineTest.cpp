// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test confines a thread of its own and lets it try to change files inside and outside of the
// writable directory.
#include "native/Confine.h"
#include "native/Process.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace fathom::native;

namespace {

/// 0, or the error.
int outcome(int result) { return result < 0 ? errno : 0; }

int create(const std::string &file) {
  int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0644);
  int error = outcome(fd);
  if (fd >= 0) close(fd);
  return error;
}

int openToWrite(const std::string &file) {
  int fd = open(file.c_str(), O_WRONLY);
  int error = outcome(fd);
  if (fd >= 0) close(fd);
  return error;
}

class Confine : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "fathom-confine-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    char *real = realpath(name.c_str(), nullptr);
    base_ = real;
    free(real);
    for (std::string directory : {"inside", "outside", "place"}) {
      mkdir(path(directory).c_str(), 0755);
      ASSERT_EQ(create(path(directory + "/file")), 0);
    }
  }
  void TearDown() override { std::system(("rm -r '" + base_ + "'").c_str()); }

  std::string path(const std::string &name) const { return base_ + "/" + name; }

  /// Everything is tried outside, where it is to end with `error`, and inside, where it works.
  void tryChanges(int error) const {
    bool isLandlock = error == EACCES;
    EXPECT_EQ(create(path("outside/new")), error);
    EXPECT_EQ(openToWrite(path("outside/file")), error);
    EXPECT_EQ(outcome(mkdir(path("outside/new").c_str(), 0755)), error);
    EXPECT_EQ(outcome(unlink(path("outside/file").c_str())), error);
    EXPECT_EQ(outcome(rename(path("outside/file").c_str(), path("outside/x").c_str())), error);
    EXPECT_EQ(outcome(chmod(path("outside/file").c_str(), 0600)), isLandlock ? 0 : error);
    if (!isLandlock) { // which learnt of truncation late
      EXPECT_EQ(outcome(truncate(path("outside/file").c_str(), 0)), error);
    }
    EXPECT_EQ(openToWrite("/dev/null"), 0);

    EXPECT_EQ(create(path("inside/new")), 0);
    EXPECT_EQ(openToWrite(path("inside/file")), 0);
    EXPECT_EQ(outcome(truncate(path("inside/file").c_str(), 0)), 0);
    EXPECT_EQ(outcome(mkdir(path("inside/directory").c_str(), 0755)), 0);
    EXPECT_EQ(outcome(rename(path("inside/file").c_str(), path("inside/x").c_str())), 0);
    EXPECT_EQ(outcome(chmod(path("inside/new").c_str(), 0600)), 0);
    EXPECT_EQ(outcome(unlink(path("inside/new").c_str())), 0);
  }

  std::string base_;
};

TEST_F(Confine, ChangesAreRefusedOutside) {
  Confined confined;
  std::thread([&] {
    confined = confineThread({.writable = {path("inside"), "/nonexistent"}});
    if (confined.by == Confined::By::Mounts) tryChanges(EROFS);
    if (confined.by == Confined::By::Landlock) tryChanges(EACCES);
  }).join();
  if (confined.by == Confined::By::Nothing) GTEST_SKIP() << "neither mounts nor Landlock here";
  EXPECT_EQ(create(path("outside/afterwards")), 0) << "other threads are as free as before";
}

TEST_F(Confine, LandlockAlone) {
  bool isConfined = false;
  std::thread([&] {
    isConfined = confineByLandlock({path("inside")});
    if (isConfined) tryChanges(EACCES);
  }).join();
  if (!isConfined) GTEST_SKIP() << "no Landlock here";
}

TEST_F(Confine, ChildrenAreConfined) {
  Command c;
  c.program = "/bin/sh";
  c.arguments = {"sh", "-c",
                 "echo x >" + path("outside/new") + "; echo x >" + path("inside/new") +
                     " && echo inside"};
  c.captureOutput = true;
  Confined confined;
  Outcome o;
  std::thread([&] {
    confined = confineThread({.writable = {path("inside")}});
    o = run(c);
  }).join();
  if (confined.by == Confined::By::Nothing) GTEST_SKIP() << "neither mounts nor Landlock here";
  EXPECT_NE(o.output.find("inside\n"), std::string::npos) << o.output;
  EXPECT_NE(access(path("outside/new").c_str(), F_OK), 0);
  EXPECT_EQ(access(path("inside/new").c_str(), F_OK), 0);
}

TEST_F(Confine, ADirectoryAppearsElsewhere) {
  Confined confined;
  std::thread([&] {
    confined = confineThread(
        {.writable = {path("inside")}, .shown = path("inside"), .shownAs = path("place")});
    if (confined.isShown) EXPECT_EQ(create(path("place/new")), 0);
  }).join();
  if (!confined.isShown) GTEST_SKIP() << "no mounts here";
  EXPECT_EQ(access(path("inside/new").c_str(), F_OK), 0);
  EXPECT_NE(access(path("place/new").c_str(), F_OK), 0);
}

} // namespace
