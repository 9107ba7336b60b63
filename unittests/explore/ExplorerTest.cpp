// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explorer's frontier leads to the rest of the exploration; a path that is to be avoided is
// dropped, and only that; short memory loses nothing.
#include "Support.h"

#include "evidence/LedgerCategory.h"
#include "explore/work/Explorer.h"
#include "explore/work/Protocol.h"

#include <gtest/gtest.h>

#include <algorithm>

using fathom::evidence::LedgerCategory;

namespace fathom::explore::test {
namespace {

const char *const kProgram = R"(
int main(void) {
  unsigned char in[9];
  __fathom_make_symbolic(in, sizeof in, "in");
  int sum = 0;
  for (int i = 0; i < 9; i++) {
    sum *= 2;
    if (in[i] > 'm') sum++;
    if (in[i] * in[i] % 7 == 3) sum += 1000; // never
  }
  return sum & 0x7f;
}
)";
constexpr size_t kPaths = 512;

std::vector<uint64_t> pathsOf(const std::vector<TestCase> &tests) {
  std::vector<uint64_t> paths;
  for (const TestCase &t : tests) paths.push_back(t.path);
  std::sort(paths.begin(), paths.end());
  return paths;
}

ExploreOptions asking(const char *when) {
  ExploreOptions options;
  options.branchChecks = kBranchChecksNames.find(when).value();
  return options;
}

struct InProcess {
  explicit InProcess(const program::Program &program, const char *ask = "auto")
      : options(asking(ask)), explorer(program, options, kept, stop) {
    std::string error;
    EXPECT_TRUE(explorer.start(error)) << error;
  }
  ExploreOptions options;
  Kept kept;
  std::atomic<bool> stop{false};
  Explorer explorer;
};

/// What is left after about so many instructions.
std::vector<PathPrefix> someFrontier(InProcess &run, uint64_t instructions) {
  run.options.maxInstructions = instructions;
  run.explorer.explore();
  EXPECT_EQ(run.explorer.stopReason(), StopReason::MaxInstructions);
  std::vector<PathPrefix> paths;
  EXPECT_TRUE(decode(run.explorer.frontier(), paths));
  return paths;
}

TEST(Explorer, TheFrontierLeadsToTheRest) {
  program::Program program = compile(kProgram);
  InProcess whole(program);
  whole.explorer.add({});
  whole.explorer.explore();
  ASSERT_EQ(whole.kept.tests.size(), kPaths);
  for (uint64_t instructions : {1u, 300u, 1500u, 4000u}) {
    InProcess first(program), second(program);
    first.explorer.add({});
    std::vector<PathPrefix> frontier = someFrontier(first, instructions), stored;
    ASSERT_TRUE(decode(encode(frontier), stored));
    EXPECT_EQ(stored.size(), frontier.size());
    for (PathPrefix &prefix : stored) second.explorer.add(std::move(prefix));
    second.explorer.explore();
    std::vector<TestCase> both = first.kept.tests;
    both.insert(both.end(), second.kept.tests.begin(), second.kept.tests.end());
    EXPECT_EQ(pathsOf(both), pathsOf(whole.kept.tests));
    EXPECT_TRUE(second.explorer.ledger().empty());
  }
}

TEST(Explorer, APathThatIsAvoidedIsTheOnlyOneThatIsLost) {
  program::Program program = compile(kProgram);
  InProcess first(program), second(program);
  first.explorer.add({});
  std::vector<PathPrefix> frontier = someFrontier(first, 3000);
  ASSERT_GT(frontier.size(), 3u);
  const std::string bad = frontier[1].log;
  second.explorer.avoid(PathLog(bad).hash());
  uint64_t last = 0;
  second.explorer.announceIn(&last);
  for (PathPrefix &prefix : frontier) second.explorer.add(std::move(prefix));
  second.explorer.explore();
  EXPECT_NE(last, 0u);
  EXPECT_NE(last, PathLog(bad).hash());
  ASSERT_EQ(second.explorer.ledger().entries().size(), 1u);
  const Ledger::Key &entry = second.explorer.ledger().entries().begin()->first;
  EXPECT_EQ(entry.category, LedgerCategory::DroppedState);
  EXPECT_NE(entry.location, "") << "also when the path begins where it is avoided";
  const size_t found = first.kept.tests.size() + second.kept.tests.size();
  EXPECT_LT(found, kPaths);
  EXPECT_GT(found, kPaths / 4); // only what comes after that one path
}

TEST(Explorer, APathThatCannotBeBroughtBackIsAvoidedBefore) {
  program::Program program = compile(kProgram);
  InProcess first(program), second(program);
  first.explorer.add({});
  std::vector<PathPrefix> frontier = someFrontier(first, 3000);
  const uint64_t way = Explorer::onTheWayTo(PathLog(frontier[1].log).hash());
  second.explorer.avoid(way);
  uint64_t last = 0;
  second.explorer.announceIn(&last);
  second.explorer.add(frontier[1]);
  second.explorer.explore();
  EXPECT_EQ(last, 0u) << "it was not tried";
  ASSERT_EQ(second.explorer.ledger().entries().size(), 1u);
  EXPECT_EQ(second.explorer.ledger().entries().begin()->first.detail,
            "worker processes crashed on the way there");
}

TEST(Explorer, WhatIsGivenAwayIsExploredOnce) {
  program::Program program = compile(kProgram);
  InProcess giver(program), taker(program);
  giver.explorer.add({});
  someFrontier(giver, 4000);
  const size_t before = giver.explorer.unfinished();
  std::vector<uint64_t> identities;
  for (PathPrefix &prefix : giver.explorer.giveAway(8, identities))
    taker.explorer.add(std::move(prefix));
  EXPECT_GT(taker.explorer.unfinished(), 0u);
  EXPECT_EQ(giver.explorer.unfinished() + taker.explorer.unfinished(), before);
  giver.options.maxInstructions = 0;
  giver.explorer.explore();
  taker.explorer.explore();
  std::vector<TestCase> both = giver.kept.tests;
  both.insert(both.end(), taker.kept.tests.begin(), taker.kept.tests.end());
  std::vector<uint64_t> paths = pathsOf(both);
  EXPECT_EQ(paths.size(), kPaths);
  EXPECT_EQ(std::unique(paths.begin(), paths.end()), paths.end());
}

// The giver is lost: another worker repeats its work from the start, asks at other times, and gives
// some of the work away as well.
/// An idle worker need not wait until there are thousands of paths: the first fork gives half of
/// the work.
TEST(Explorer, ListensAtTheFirstForkWhenAsked) {
  program::Program program = compile(kProgram);
  InProcess giver(program), taker(program);
  giver.explorer.add({});
  giver.explorer.listenAtFork();
  giver.explorer.explore([&] {
    std::vector<uint64_t> identities;
    if (taker.explorer.unfinished() || giver.explorer.unfinished() < 2) return;
    EXPECT_EQ(giver.explorer.unfinished(), 2u);
    for (PathPrefix &prefix : giver.explorer.giveAway(8, identities))
      taker.explorer.add(std::move(prefix));
  });
  taker.explorer.explore();
  EXPECT_EQ(giver.kept.tests.size(), kPaths / 2);
  EXPECT_EQ(taker.kept.tests.size(), kPaths / 2);
}

TEST(Explorer, WhatWasGivenAwayIsNotExploredAgain) {
  program::Program program = compile(kProgram);
  using Asks = std::pair<const char *, const char *>; // before, and again
  for (const auto &[before, ask] :
       {Asks{"eager", "eager"}, {"eager", "lazy"}, {"lazy", "eager"}, {"lazy", "lazy"}}) {
    InProcess giver(program, before), taker(program), again(program, ask), third(program, ask);
    giver.explorer.add({});
    someFrontier(giver, 4000);
    std::unordered_set<uint64_t> elsewhere;
    std::vector<uint64_t> identities;
    for (PathPrefix &prefix : giver.explorer.giveAway(8, identities)) {
      elsewhere.insert(PathLog(prefix.log).hash());
      prefix.excludedPaths = 1; // what it was given itself is not meant
      taker.explorer.add(std::move(prefix));
    }
    elsewhere.insert(identities.begin(), identities.end());
    taker.explorer.leaveOut(1, elsewhere);
    again.explorer.leaveOut(1, elsewhere);
    PathPrefix start;
    start.excludedPaths = 1;
    again.explorer.add(start);
    third.explorer.leaveOut(1, elsewhere);
    for (uint64_t instructions = 300; instructions <= 4800; instructions += 300) {
      again.options.maxInstructions = instructions;
      again.explorer.explore();
      for (PathPrefix &prefix : again.explorer.giveAway(2, identities))
        third.explorer.add(std::move(prefix));
    }
    again.options.maxInstructions = 0;
    std::vector<TestCase> all;
    for (InProcess *run : {&taker, &again, &third}) {
      run->explorer.explore();
      EXPECT_FALSE(run->kept.tests.empty());
      all.insert(all.end(), run->kept.tests.begin(), run->kept.tests.end());
    }
    std::vector<uint64_t> paths = pathsOf(all);
    EXPECT_EQ(paths.size(), kPaths) << before << ", then " << ask;
    EXPECT_EQ(std::unique(paths.begin(), paths.end()), paths.end());
  }
}

TEST(Protocol, WhatIsEncodedIsDecoded) {
  Checkpoint from;
  from.stats.instructions = 7;
  from.stats.stages.emplace_back();
  from.stats.stages[0].asked = 3;
  from.ledger.add(LedgerCategory::BoundSize, "b.c:1 in f", "detail", 5);
  from.cover = {1, 0, 1};
  from.frontier = {encode(std::vector<PathPrefix>{{"abc", {1, 2}}, {"abd", {}}, {"", {}}})};
  from.storedPaths = {~uint64_t(0), 5};
  from.elsewhere = {{1, ~uint64_t(0)}, {}};
  Checkpoint to;
  ASSERT_TRUE(decode(encode(from), to));
  EXPECT_EQ(to.stats.instructions, 7u);
  ASSERT_EQ(to.stats.stages.size(), 1u);
  EXPECT_EQ(to.stats.stages[0].asked, 3u);
  EXPECT_EQ(to.ledger.entries(), from.ledger.entries());
  EXPECT_EQ(to.cover, from.cover);
  EXPECT_EQ(to.storedPaths, from.storedPaths);
  EXPECT_EQ(to.elsewhere, from.elsewhere);
  std::vector<PathPrefix> paths;
  ASSERT_TRUE(decode(to.frontier[0], paths));
  ASSERT_EQ(paths.size(), 3u);
  EXPECT_EQ(paths[1].log, "abc"); // sorted
  EXPECT_EQ(paths[1].newlyCovered, (std::vector<uint32_t>{1, 2}));
  std::string cut = encode(from);
  for (size_t n : {size_t(0), size_t(1), cut.size() / 2, cut.size() - 1})
    EXPECT_FALSE(decode(cut.substr(0, n), to)) << n;
}

// Random logs that fork from each other at any time, and end open or sealed.
TEST(PathTree, LeadsToTheLogsThatWereAdded) {
  Rng rng(3);
  for (unsigned round = 0; round < 20; round++) {
    std::vector<PathLog> logs(1);
    for (unsigned n = 0; n < 300; n++) {
      PathLog &log = logs[rng.below(static_cast<uint32_t>(logs.size()))];
      if (rng.below(3))
        log.append(Record::Known, rng.below(round % 2 ? 3 : 1000));
      else
        logs.push_back(PathLog(log));
    }
    PathTree tree;
    std::vector<std::pair<std::string, uint32_t>> added, told;
    for (uint32_t i = 0; i < logs.size(); i++) {
      added.emplace_back(logs[i].bytes(), i);
      tree.add(logs[i], {.log = {}, .newlyCovered = {i}, .excludedPaths = i});
    }
    std::vector<PathPrefix> paths;
    ASSERT_TRUE(decode(encode({{"suspended", {}}}, std::move(tree)), paths));
    ASSERT_EQ(paths.size(), added.size() + 1);
    EXPECT_EQ(paths[0].log, "suspended");
    for (size_t i = 1; i < paths.size(); i++)
      told.emplace_back(paths[i].log, paths[i].newlyCovered.at(0));
    for (size_t i = 1; i < paths.size(); i++)
      EXPECT_EQ(paths[i].excludedPaths, paths[i].newlyCovered.at(0));
    std::sort(added.begin(), added.end());
    std::sort(told.begin(), told.end());
    EXPECT_EQ(told, added);
  }
}

} // namespace
} // namespace fathom::explore::test
