// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of a run, and what has changed since an earlier one.
#include "run/all/FunctionCode.h"
#include "run/suite/Cover.h"
#include "support/Rng.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <set>

namespace fathom::run {
namespace {

using Indices = std::vector<size_t>;

TEST(Cover, NothingToCoverNeedsNothing) {
  EXPECT_EQ(greedyCover({}), Indices());
  EXPECT_EQ(greedyCover({{.bytes = 1, .elements = {}}}), Indices());
}

TEST(Cover, MostFirstThenSmallestThenFirst) {
  EXPECT_EQ(greedyCover({{.bytes = 1, .elements = {0}},
                         {.bytes = 9, .elements = {0, 1}},
                         {.bytes = 5, .elements = {0, 1}},
                         {.bytes = 5, .elements = {0, 1}}}),
            Indices{2});
}

TEST(Cover, WhatCrashesOnlyWhereNothingElseCovers) {
  EXPECT_EQ(greedyCover({{.bytes = 1, .crashes = true, .elements = {0, 1}},
                         {.bytes = 9, .elements = {0, 1}},
                         {.bytes = 3, .crashes = true, .elements = {2}}}),
            (Indices{1, 2}));
}

TEST(Cover, WhatOthersMakeNeedlessIsLeftOut) {
  // The first choice has most; the next two, which have to be there, cover all of it.
  EXPECT_EQ(greedyCover({{.bytes = 1, .elements = {1, 2, 3, 4}},
                         {.bytes = 1, .elements = {0, 1, 2}},
                         {.bytes = 1, .elements = {3, 4, 5}}}),
            (Indices{1, 2}));
}

/// Elements as bits.
uint32_t bitsOf(const std::vector<CoverCandidate> &candidates, const Indices &which) {
  uint32_t out = 0;
  for (const size_t i : which)
    for (const uint32_t element : candidates[i].elements) out |= 1u << element;
  return out;
}

TEST(Cover, CoversAllNeedsEachAndIsNearTheSmallest) {
  Rng rng(3);
  constexpr size_t kCandidates = 9;
  constexpr uint32_t kElements = 14;
  for (int round = 0; round < 200; ++round) {
    std::vector<CoverCandidate> candidates(kCandidates);
    size_t largest = 0;
    for (CoverCandidate &candidate : candidates) {
      candidate.bytes = rng.below(4);
      for (uint32_t element = 0; element < kElements; ++element)
        if (rng.below(3) == 0) candidate.elements.push_back(element);
      largest = std::max(largest, candidate.elements.size());
    }
    Indices all(kCandidates);
    for (size_t i = 0; i < kCandidates; ++i) all[i] = i;
    const uint32_t wanted = bitsOf(candidates, all);
    const Indices chosen = greedyCover(candidates);
    ASSERT_EQ(bitsOf(candidates, chosen), wanted);
    for (const size_t without : chosen) {
      Indices rest = chosen;
      std::erase(rest, without);
      ASSERT_NE(bitsOf(candidates, rest), wanted);
    }
    size_t fewest = kCandidates;
    for (uint32_t set = 0; set < 1u << kCandidates; ++set) {
      Indices some;
      for (size_t i = 0; i < kCandidates; ++i)
        if (set >> i & 1) some.push_back(i);
      if (bitsOf(candidates, some) == wanted) fewest = std::min(fewest, some.size());
    }
    const double bound = std::log(static_cast<double>(largest)) + 1;
    ASSERT_LE(static_cast<double>(chosen.size()), bound * static_cast<double>(fewest));
  }
}

class Sources : public testing::Test {
protected:
  Sources() {
    llvm::SmallString<128> path;
    llvm::sys::fs::createUniqueDirectory("fathom-functions", path);
    folder_ = path.str().str();
  }
  ~Sources() override { llvm::sys::fs::remove_directories(folder_); }

  std::string write(const std::string &name, const std::string &text) {
    const std::string file = folder_ + "/" + name;
    std::ofstream(file) << text;
    return file;
  }
  std::string folder_;
};

TEST_F(Sources, AFunctionChangesWithItsCodeAndNotWithItsPlace) {
  const std::string was =
      write("was.c", "int f(int a) {\n  return a;\n}\nint g(void) {\n  return 1;\n}\n");
  const std::string is =
      write("is.c", "/* a\n line */\nint f(int a)\n{\n  return a; // the same\n}\n\n"
                    "int g(void) {\n  return 2;\n}\n");
  report::SourceLines lines;
  report::SourceCode code(lines);
  EXPECT_EQ(hashAround(code, was, 2), hashAround(code, is, 5));
  EXPECT_NE(hashAround(code, was, 5), hashAround(code, is, 9));
  EXPECT_EQ(hashAround(code, was, 4), hashAround(code, was, 5)); // any line of it
  EXPECT_EQ(hashAround(code, folder_ + "/absent.c", 1), "");
}

TEST_F(Sources, HashesAreReadBack) {
  campaign::MapLayout layout;
  const std::string file =
      write("a.c", "int f(void) {\n  return 1;\n}\nint g(void) { return 2; }\n");
  layout.blocks = {
      {"f", file, 2, 3, {}}, {"f", file, 1, 1, {}}, {"g", file, 4, 15, {}}, {"h", "", 0, 0, {}}};
  const std::vector<FunctionCode> functions = functionCode(layout);
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_EQ(functions[0].line, 1u);
  EXPECT_EQ(readFunctionHashes(folder_), std::nullopt);
  auto root = report::Directory::openOrCreate(folder_);
  ASSERT_TRUE(bool(root));
  ASSERT_FALSE(bool(writeFunctionCode(*root, functions)));
  EXPECT_EQ(readFunctionHashes(folder_), (std::set{functions[0].hash, functions[1].hash}));
}

} // namespace
} // namespace fathom::run
