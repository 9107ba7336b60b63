// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_UNITTESTS_RUN_SUPPORT_H
#define FATHOM_UNITTESTS_RUN_SUPPORT_H

#include "run/Failure.h"
#include "run/Session.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace fathom::run::test {

/// A folder that goes with the test, and files in it.
class Scratch {
public:
  Scratch() {
    llvm::SmallString<128> path;
    if (llvm::sys::fs::createUniqueDirectory("fathom-run-test", path))
      ADD_FAILURE() << "no temporary folder";
    folder_ = std::string(path);
  }
  ~Scratch() { (void)llvm::sys::fs::remove_directories(folder_); }
  Scratch(const Scratch &) = delete;

  std::string path(const std::string &name) const { return folder_ + "/" + name; }
  /// A program: LLVM's assembly of functions.
  std::string program(const std::string &assembly) const {
    std::ofstream(path("program.ll"))
        << "target datalayout = "
           "\"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"
           "target triple = \"x86_64-unknown-linux-musl\"\n"
        << assembly;
    return path("program.ll");
  }

private:
  std::string folder_;
};

/// What a driver tells; nothing ends it.
class Recorder final : public Observer {
public:
  void warn(const std::string &text) override { warnings.push_back(text); }
  Session session() { return {*this, {stop}}; }

  std::atomic<bool> stop{false};
  std::vector<std::string> warnings;
};

/// The text of an error for wrong usage; "" (and a failure) where it is none.
inline std::string usageText(llvm::Error error) {
  EXPECT_TRUE(error.isA<UsageError>());
  return llvm::toString(std::move(error));
}

} // namespace fathom::run::test
#endif
