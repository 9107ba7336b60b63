// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These tests include what users of the library include, and nothing of lib.
#ifndef FATHOM_UNITTESTS_API_SUPPORT_H
#define FATHOM_UNITTESTS_API_SUPPORT_H

#include <fathom/Program.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

namespace fathom::api::test {

/// A folder that goes with the test, and programs in it.
class Scratch {
public:
  Scratch() {
    std::string pattern = std::filesystem::temp_directory_path() / "fathom-api-XXXXXX";
    const char *made = mkdtemp(pattern.data());
    if (!made) ADD_FAILURE() << "no temporary folder";
    folder_ = pattern;
  }
  ~Scratch() { std::filesystem::remove_all(folder_); }
  Scratch(const Scratch &) = delete;

  std::string path(const std::string &name) const { return folder_ + "/" + name; }
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  /// The program of LLVM's assembly of functions.
  Program program(const std::string &assembly) const {
    Program out;
    out.files = {write("program.ll", R"(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-musl"
)" + assembly)};
    return out;
  }

private:
  std::string folder_;
};

inline constexpr const char *kSignAndDivide = R"(
define i32 @sign(i32 %x) {
  %below = icmp slt i32 %x, 0
  br i1 %below, label %no, label %yes
no:
  ret i32 -1
yes:
  ret i32 1
}
define i32 @divide(i32 %x) {
  %q = sdiv i32 10, %x
  ret i32 %q
})";

/// The error of a result that has no value; "" (and a failure) if it has one.
template <class T> std::string usageOf(const Result<T> &result) {
  if (result) {
    ADD_FAILURE() << "no error";
    return "";
  }
  EXPECT_EQ(result.error().kind, Error::Kind::Usage);
  return result.error().message;
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace fathom::api::test
#endif
