// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs that are offered while an exploration runs: each is followed to its end, leaves only what
// nothing has covered, and survives being handed over.
#include "Support.h"

#include "evidence/LedgerCategory.h"
#include "explore/Explore.h"
#include "explore/work/Explorer.h"
#include "explore/work/InputSource.h"
#include "explore/work/Protocol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace fathom::explore::test {
namespace {

const char *const kKeyed = R"(
int main(void) {
  unsigned char in[8];
  __fathom_make_symbolic(in, sizeof in, "stdin");
  if (in[0] != 'k') {
    if (in[7] == 'y') return 3;
    return 1;
  }
  if (in[6] == 'x') return 42;
  return 2;
}
)";

std::vector<uint8_t> bytes(const std::string &text) { return {text.begin(), text.end()}; }

PathPrefix offered(const std::string &text) {
  PathPrefix prefix;
  prefix.input = std::make_shared<const std::vector<uint8_t>>(bytes(text));
  return prefix;
}

struct Following {
  explicit Following(const program::Program &program) : explorer(program, options, kept, stop) {
    std::string error;
    EXPECT_TRUE(explorer.start(error)) << error;
  }
  ExploreOptions options;
  Kept kept;
  std::atomic<bool> stop{false};
  Explorer explorer;
};

class Source final : public InputSource {
public:
  std::vector<std::vector<uint8_t>> take(size_t most) override {
    std::vector<std::vector<uint8_t>> out;
    for (; !inputs.empty() && out.size() < most; inputs.pop_front())
      out.push_back(bytes(inputs.front()));
    return out;
  }
  std::vector<uint32_t> covered() override { return std::exchange(sides, {}); }
  void found(const std::vector<uint32_t> &what) override {
    all.insert(all.end(), what.begin(), what.end());
  }
  unsigned mostWorkers() const override { return ++asked % 3; } // they rest now and then
  bool isOpen() const override { return !inputs.empty(); }

  std::deque<std::string> inputs;
  std::vector<uint32_t> sides, all;
  mutable unsigned asked = 0;
};

std::vector<std::string> inputsOf(const std::vector<TestCase> &tests) {
  std::vector<std::string> out;
  for (const TestCase &test : tests)
    for (const SymbolValue &value : test.symbols)
      if (value.name == "stdin") out.emplace_back(value.data.begin(), value.data.end());
  return out;
}

TEST(InputSource, AnInputIsFollowedAndItsUncoveredSidesAreExplored) {
  program::Program program = compile(kKeyed);
  Following run(program);
  run.explorer.add(offered("abcdefgh"));
  run.explorer.explore();
  EXPECT_EQ(run.explorer.statistics().seedsFollowed, 1u);
  EXPECT_EQ(run.explorer.statistics().inputsTaken, 1u);
  const std::vector<std::string> inputs = inputsOf(run.kept.tests);
  EXPECT_EQ(std::ranges::count(inputs, "abcdefgh"), 1);
  EXPECT_TRUE(std::ranges::any_of(inputs, [](const std::string &i) { return i[7] == 'y'; }));
}

TEST(InputSource, WhatIsCoveredIsNotAskedAbout) {
  program::Program program = compile(kKeyed);
  Following run(program);
  std::vector<uint32_t> all;
  for (uint32_t side = 0; side < program.ownBranchSides; side++)
    all.push_back(side | Coverage::kSideBit);
  run.explorer.noteCovered(all);
  run.explorer.add(offered("abcdefgh"));
  run.explorer.explore();
  EXPECT_EQ(inputsOf(run.kept.tests), std::vector<std::string>{"abcdefgh"});
  EXPECT_EQ(run.explorer.statistics().sidesLeft, 0u);
}

TEST(InputSource, SeveralInputsDoNotMix) {
  program::Program program = compile(kKeyed);
  Following run(program);
  std::vector<PathPrefix> prefixes{offered("abcdefgh"), offered("yyyyyyyy"), offered("12345678")};
  std::vector<PathPrefix> told;
  ASSERT_TRUE(decode(encode(prefixes), told));
  for (PathPrefix &prefix : told) run.explorer.add(std::move(prefix));
  run.explorer.explore();
  EXPECT_EQ(run.explorer.statistics().seedsFollowed, 3u);
  const std::vector<std::string> inputs = inputsOf(run.kept.tests);
  for (const char *input : {"abcdefgh", "yyyyyyyy", "12345678"})
    EXPECT_EQ(std::ranges::count(inputs, input), 1) << input;
}

TEST(InputSource, AnUnfinishedInputGoesElsewhereWithItsPath) {
  program::Program program = compile(kKeyed);
  Following first(program), second(program);
  first.options.maxInstructions = 3;
  first.explorer.add(offered("abcdefgh"));
  first.explorer.explore();
  std::vector<PathPrefix> paths;
  ASSERT_TRUE(decode(first.explorer.frontier(), paths));
  ASSERT_FALSE(paths.empty());
  for (PathPrefix &path : paths) second.explorer.add(std::move(path));
  second.explorer.explore();
  std::vector<std::string> inputs = inputsOf(first.kept.tests);
  for (const std::string &input : inputsOf(second.kept.tests)) inputs.push_back(input);
  EXPECT_EQ(std::ranges::count(inputs, "abcdefgh"), 1);
}

/// A check asks twice at one place: whether it can fail, and whether it can go well.
const char *const kChecked = R"(
int main(void) {
  unsigned char in[12];
  __fathom_make_symbolic(in, sizeof in, "stdin");
  int sum = 0;
  for (int i = 0; i < 12; i++) sum += 1000 / in[i];
  return sum == 1 ? 4 : 5;
}
)";

TEST(InputSource, AnInputComesThroughChecksInALoop) {
  program::Program program = compile(kChecked);
  Following run(program);
  run.explorer.add(offered("abcdefghijkl"));
  run.explorer.explore();
  EXPECT_EQ(run.explorer.statistics().seedsFollowed, 1u);
  const std::vector<std::string> inputs = inputsOf(run.kept.tests);
  EXPECT_EQ(std::ranges::count(inputs, "abcdefghijkl"), 1);
}

/// No byte is 300.
const char *const kSwitched = R"(
int main(void) {
  unsigned char in[8];
  __fathom_make_symbolic(in, sizeof in, "stdin");
  int sum = 0;
  for (int i = 0; i < 8; i++)
    switch ((int)in[i]) {
    case 300: return 9;
    case 'b': sum += 2; break;
    case 'c': sum += 3; break;
    default: sum++;
    }
  if (in[7] > 'x') return 3;
  return sum == 7;
}
)";

TEST(InputSource, ItsLogIsReplayedBehindAWayThatNoValueTakes) {
  program::Program program = compile(kSwitched);
  for (uint64_t instructions = 20; instructions < 200; instructions += 20) {
    Following first(program), second(program);
    first.options.maxInstructions = instructions;
    first.explorer.add(offered("abcabcab"));
    first.explorer.explore();
    std::vector<PathPrefix> paths;
    ASSERT_TRUE(decode(first.explorer.frontier(), paths));
    for (PathPrefix &path : paths) second.explorer.add(std::move(path));
    second.explorer.explore();
    for (const auto &[key, count] : second.explorer.ledger().entries())
      EXPECT_NE(key.category, evidence::LedgerCategory::DroppedState) << key.detail;
  }
}

TEST(InputSource, TheCoordinatorTakesWhatIsOffered) {
  program::Program program = compile(kKeyed);
  Source source;
  source.inputs = {"abcdefgh", "yyyyyyyy"};
  ExploreOptions options;
  options.inputs = &source;
  options.jobs = 2;
  Kept kept;
  std::atomic<bool> stop{false};
  const ExploreResult result = explore::explore(program, options, kept, stop);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.stats.stop, StopReason::Exhausted);
  EXPECT_EQ(result.stats.inputsTaken, 2u);
  EXPECT_EQ(result.stats.branchesCovered, source.all.size());
}

} // namespace
} // namespace fathom::explore::test
