// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sides of branches that are taken unasked: whatever the odds say, a path that there is none of
// leaves no test and no bug, and nothing is lost unless the odds may say that a side is infeasible.
#include "Support.h"

#include "explore/policy/BranchProbability.h"
#include "explore/search/SearcherTable.h"
#include "support/Rng.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace fathom::explore::test {
namespace {

/// The same for every side, or by branch and side.
struct FixedOdds final : BranchProbability {
  std::optional<double> usual;
  std::map<std::pair<uint32_t, uint32_t>, std::optional<double>> of;
  std::optional<double> ofSide(uint32_t branchId, uint32_t side,
                               std::span<const uint64_t>) const override {
    auto found = of.find({branchId, side});
    return found == of.end() ? usual : found->second;
  }
};

/// Sides that contradict each other, a division by zero on one path, and memory in between.
const char *const kGuessProgram = R"(
int main(void) {
  unsigned char in[4];
  int table[4] = {1, 2, 3, 4};
  __fathom_make_symbolic(in, sizeof in, "in");
  int n = 0;
  if (in[0] < 10) n += 1;
  if (in[0] > 20) n += 2;
  if (in[0] == 15) n += 4;
  if (in[1] * in[2] == 77) n += 8;
  if (in[1] > 100 && in[2] > 100) n += 16;
  n += table[in[3] & 3] == 3 ? 32 : 0;
  if (in[0] < 5 && in[3] == 7) return 100 / (in[1] - 9);
  return n;
}
)";

ExploreOptions guessing(std::shared_ptr<const BranchProbability> odds, double theta,
                        bool assumesUnsat) {
  ExploreOptions options = exactly();
  options.odds = std::move(odds);
  options.theta = theta;
  options.assumesUnsat = assumesUnsat;
  return options;
}

std::shared_ptr<FixedOdds> everywhere(double p) {
  auto odds = std::make_shared<FixedOdds>();
  odds->usual = p;
  return odds;
}

struct Found {
  std::vector<std::string> paths;
  std::vector<evidence::BugKind> bugs;
  bool operator==(const Found &) const = default;
};

Found found(const Rig &rig) {
  Found all{rig.paths(), {}};
  for (const Bug &bug : rig.kept.bugs) all.bugs.push_back(bug.kind);
  std::ranges::sort(all.bugs);
  return all;
}

TEST(SpeculativeBranches, AProbableSideIsTakenWithoutAQuestionAndNothingWrongComesOfIt) {
  const program::Program program = compile(kGuessProgram);
  Rig plain(program);
  plain.runAll();
  auto odds = everywhere(1);
  Rig rig(program, {}, guessing(odds, 0.9, false));
  rig.runAll();
  EXPECT_EQ(found(rig), found(plain));
  EXPECT_GT(rig.stats.guessedFeasible, 10u);
  EXPECT_GT(rig.stats.wrongGuesses, 0u) << "in[0] is not below 10 and above 20";
  EXPECT_TRUE(rig.ledger.entries().empty());
}

/// The odds know the paths of executions: what they say is certain, and of what they do not say
/// something has to be asked.
struct SeenPaths final : BranchProbability {
  std::map<uint64_t, std::map<uint32_t, uint32_t>> seen; ///< by trace and branch: bits of sides
  std::optional<double> ofSide(uint32_t branchId, uint32_t side,
                               std::span<const uint64_t> path) const override {
    auto at = seen.find(path.empty() ? kTraceSeed : path[0]);
    if (at == seen.end() || !at->second.contains(branchId)) return std::nullopt;
    return at->second.at(branchId) >> side & 1 ? 1 : 0.02;
  }
  void took(std::vector<uint64_t> &path, uint32_t branchId, uint32_t side) const override {
    if (path.empty()) path.push_back(kTraceSeed);
    path[0] = traceStep(path[0], branchId, side);
  }
};

/// Odds that write down what paths take.
struct Recorder final : BranchProbability {
  mutable SeenPaths seen;
  std::optional<double> ofSide(uint32_t, uint32_t, std::span<const uint64_t>) const override {
    return std::nullopt;
  }
  void took(std::vector<uint64_t> &path, uint32_t branchId, uint32_t side) const override {
    seen.seen[path.empty() ? kTraceSeed : path[0]][branchId] |= 1u << side;
    seen.took(path, branchId, side);
  }
};

TEST(SpeculativeBranches, WhatExecutionsOnTheSamePathTookIsNeverWrong) {
  const program::Program program = compile(kGuessProgram);
  auto recorder = std::make_shared<Recorder>();
  Rig plain(program, {}, guessing(recorder, 0.9, false));
  plain.runAll();
  auto odds = std::make_shared<SeenPaths>(recorder->seen);
  ExploreOptions noTests = guessing(odds, 0.9, true);
  noTests.onlyNewCoverage = true;
  Rig all(program, {}, guessing(odds, 0.9, false)), few(program, {}, guessing(odds, 0.9, true)),
      fewest(program, {}, noTests);
  for (Rig *rig : {&all, &few}) {
    rig->runAll();
    EXPECT_EQ(found(*rig), found(plain));
    EXPECT_EQ(rig->stats.wrongGuesses, 0u);
  }
  fewest.runAll();
  EXPECT_EQ(fewest.stats.pathsCompleted, plain.stats.pathsCompleted);
  EXPECT_EQ(fewest.stats.wrongGuesses, 0u);
  EXPECT_GT(fewest.stats.guessedPaths, 0u);
  EXPECT_LT(fewest.stats.queries, few.stats.queries);
  EXPECT_LT(few.stats.queries, plain.stats.queries);
  EXPECT_EQ(found(fewest).bugs, found(plain).bugs);
}

/// One branch of a loop that is asked the same again: the odds know that the second answer is that
/// of the first, however often either side was right on other paths.
TEST(SpeculativeBranches, WhatWasRightOnOtherPathsMakesNothingProbableOnThisOne) {
  const program::Program program = compile(R"(
int main(void) {
  unsigned char in[7];
  __fathom_make_symbolic(in, sizeof in, "in");
  int n = 0;
  for (int i = 0; i < 14; i++)
    if (in[i / 2] < 100) n++;
  return n;
}
)");
  auto recorder = std::make_shared<Recorder>();
  Rig plain(program, {}, guessing(recorder, 0.9, false));
  plain.runAll();
  ASSERT_EQ(plain.paths().size(), 128u);
  Rig rig(program, {}, guessing(std::make_shared<SeenPaths>(recorder->seen), 0.9, false));
  rig.runAll();
  EXPECT_EQ(found(rig), found(plain));
  EXPECT_GT(rig.stats.guessedFeasible, 100u);
  EXPECT_EQ(rig.stats.wrongGuesses, 0u);
}

/// Of some paths nothing is known, as after a short campaign: nothing is lost, and a side that was
/// not seen costs one question and not two.
TEST(SpeculativeBranches, WhatNoExecutionTookIsAskedAboutTogetherWithTheGuesses) {
  const program::Program program = compile(kGuessProgram);
  auto recorder = std::make_shared<Recorder>();
  Rig plain(program, {}, guessing(recorder, 0.9, false));
  plain.runAll();
  for (unsigned seed = 1; seed < 20; seed++) {
    Rng rng(seed);
    auto odds = std::make_shared<SeenPaths>(recorder->seen);
    std::erase_if(odds->seen, [&](const auto &) { return !rng.below(3); });
    for (auto &[path, branches] : odds->seen)
      for (auto &[branch, sides] : branches)
        if (!rng.below(4)) sides &= 1u << rng.below(2);
    ExploreOptions noTests = guessing(odds, 0.9, false);
    noTests.onlyNewCoverage = true;
    Rig rig(program, {}, guessing(odds, 0.9, false)), fewest(program, {}, noTests);
    rig.runAll();
    EXPECT_EQ(found(rig), found(plain)) << seed;
    EXPECT_EQ(rig.stats.wrongGuesses, 0u) << seed;
    fewest.runAll();
    EXPECT_EQ(fewest.stats.pathsCompleted, plain.stats.pathsCompleted) << seed;
    EXPECT_EQ(found(fewest).bugs, found(plain).bugs) << seed;
  }
}

/// Eight questions about the same byte, of which each path can say yes to one: what a campaign sees
/// of each branch alone says nothing of that.
TEST(SpeculativeBranches, ASideThatIsWrongTooOftenIsAskedAgain) {
  const program::Program program = compile(R"(
int main(void) {
  unsigned char in[3];
  __fathom_make_symbolic(in, sizeof in, "in");
  int n = 0;
  for (int i = 0; i < 3; i++) {
    if (in[i] == 1) n += 1;
    if (in[i] == 2) n += 2;
    if (in[i] == 3) n += 3;
    if (in[i] == 4) n += 4;
  }
  return n;
}
)");
  Rig plain(program);
  plain.runAll();
  auto odds = everywhere(1);
  Rig rig(program, {}, guessing(odds, 0.9, false));
  rig.runAll();
  EXPECT_EQ(found(rig), found(plain));
  EXPECT_EQ(rig.paths().size(), 125u);
  EXPECT_GT(rig.stats.wrongGuesses, 0u);
  EXPECT_LT(rig.stats.wrongGuesses, 20u);
}

TEST(SpeculativeBranches, AnEstimateIsNoGuessAtAThresholdOfOne) {
  const program::Program program = compile(kGuessProgram);
  Rig plain(program);
  plain.runAll();
  auto odds = everywhere(1);
  Rig rig(program, {}, guessing(odds, 1, true));
  rig.runAll();
  EXPECT_EQ(found(rig), found(plain));
  EXPECT_EQ(rig.stats.queries, plain.stats.queries);
  EXPECT_EQ(rig.stats.guessedFeasible + rig.stats.guessedInfeasible, 0u);
}

TEST(SpeculativeBranches, AnImprobableSideIsLeftOnlyWhenAsked) {
  const program::Program program = compile(kGuessProgram);
  Rig plain(program);
  plain.runAll();
  auto odds = everywhere(0);
  Rig asks(program, {}, guessing(odds, 0.9, false)), leaves(program, {}, guessing(odds, 0.9, true));
  asks.runAll();
  EXPECT_EQ(found(asks), found(plain));
  leaves.runAll();
  EXPECT_EQ(leaves.paths().size(), 1u) << "the first input's path";
  EXPECT_GT(leaves.stats.guessedInfeasible, 3u);
  EXPECT_LT(leaves.stats.queries, plain.stats.queries);
  EXPECT_FALSE(leaves.ledger.entries().empty());
}

/// With any odds, and a theta of any size.
class RandomOdds : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomOdds, LoseNothingAndInventNothing) {
  const program::Program program = compile(kGuessProgram);
  Rig plain(program);
  plain.runAll();
  Rng rng(GetParam());
  for (unsigned round = 0; round < 20; round++) {
    auto odds = std::make_shared<FixedOdds>();
    for (uint32_t branch = 0; branch < 40; branch++)
      for (uint32_t side : {0u, 1u})
        if (rng.below(3)) odds->of[{branch, side}] = static_cast<double>(rng.below(101)) / 100;
    Rig rig(program, {}, guessing(odds, static_cast<double>(rng.below(100)) / 100, false));
    rig.runAll();
    EXPECT_EQ(found(rig), found(plain)) << round;
    Rig leaves(program, {}, guessing(odds, 0.7, true));
    leaves.runAll();
    for (const std::string &path : leaves.paths())
      EXPECT_TRUE(std::ranges::count(plain.paths(), path)) << round << ": " << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomOdds, testing::Values(1, 2, 3));

TEST(SpeculativeBranches, LogsLeadToStatesThatWereGuessed) {
  const program::Program program = compile(kGuessProgram);
  Rig plain(program);
  plain.runAll();
  auto odds = everywhere(1);
  for (unsigned turns = 1; turns < 12; turns++) {
    Rig before(program, {}, guessing(odds, 0.9, false)),
        after(program, {}, guessing(odds, 0.9, false));
    runInTwo(before, turns, after);
    EXPECT_EQ(after.paths(), plain.paths()) << turns;
  }
}

/// Of the first path that ends.
int firstStatus(const program::Program &program, const FixedOdds &odds) {
  Rig rig(program, {}, guessing(std::make_shared<FixedOdds>(odds), 1, false));
  Rng rng(1);
  std::string error;
  auto searcher = makeSearcher("psp", rig.executor->interpreter, rng, error);
  EXPECT_EQ(error, "");
  rig.runAll(*searcher);
  EXPECT_EQ(rig.kept.tests.size(), 4u);
  return rig.kept.tests.empty() ? -1 : rig.kept.tests[0].status;
}

TEST(ProbableSearcher, GoesFirstWhereACampaignWas) {
  const program::Program program = compile(R"(
int main(void) {
  unsigned char in[2];
  __fathom_make_symbolic(in, sizeof in, "in");
  if (in[0] > 7) {
    if (in[1] > 7) return 3;
    return 2;
  }
  if (in[1] > 7) return 1;
  return 0;
}
)");
  for (uint32_t first : {0u, 1u})
    for (uint32_t second : {0u, 1u}) {
      FixedOdds odds;
      odds.of[{0, first}] = odds.of[{1, second}] = odds.of[{2, second}] = 0.9;
      odds.of[{0, 1 - first}] = odds.of[{1, 1 - second}] = odds.of[{2, 1 - second}] = 0.2;
      FixedOdds flipped = odds;
      std::swap(flipped.of[{0, 0}], flipped.of[{0, 1}]);
      EXPECT_EQ(firstStatus(program, odds) ^ firstStatus(program, flipped), 2);
      flipped = odds;
      for (uint32_t branch : {1u, 2u}) std::swap(flipped.of[{branch, 0}], flipped.of[{branch, 1}]);
      EXPECT_EQ(firstStatus(program, odds) ^ firstStatus(program, flipped), 1);
    }
}

} // namespace
} // namespace fathom::explore::test
