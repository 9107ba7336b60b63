// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Rounds.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>
#include <unistd.h>

using namespace fathom::confirm;
using namespace std::chrono_literals;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

struct Tries {
  std::vector<Round> rounds;
  std::vector<size_t> order;                          ///< as they ended
  std::map<size_t, std::vector<milliseconds>> limits; ///< of the tries of each
  std::map<size_t, ChildEnd::Kind> last;
};

/// Item i needs needs[i]; those of `better` are answered, and can be answered better.
Tries run(const std::vector<milliseconds> &needs, const RoundOptions &options,
          std::vector<milliseconds> tried = {}, const std::set<size_t> &better = {}) {
  Tries out;
  tried.resize(needs.size());
  runInRounds(
      tried, options,
      [&](size_t i, const Round &round) -> std::string {
        std::this_thread::sleep_for(std::min(needs[i], round.limit));
        return needs[i] <= round.limit ? "settled" : "open";
      },
      [&](size_t i, const ChildEnd &end, const Round &round) {
        out.last[i] = end.kind;
        if (end.kind != ChildEnd::Kind::Done) return Next::Again;
        out.order.push_back(i);
        out.limits[i].push_back(round.limit);
        if (end.text == "settled") return Next::Settled;
        return better.contains(i) ? Next::AgainLater : Next::Again;
      },
      [&](const Round &round) { out.rounds.push_back(round); });
  EXPECT_EQ(out.last.size(), needs.size());
  return out;
}

RoundOptions within(milliseconds all, milliseconds perItem, unsigned jobs = 1) {
  RoundOptions options;
  options.children.jobs = jobs;
  options.perItem = perItem;
  options.until = Clock::now() + all;
  return options;
}

} // namespace

TEST(Rounds, LimitsGrowFromAShareOfHalfTheTime) {
  EXPECT_EQ(firstLimit(10, 1, std::nullopt, 10s), 10s);
  EXPECT_EQ(firstLimit(30, 1, 60s, 10s), 1s);
  EXPECT_EQ(firstLimit(30, 2, 60s, 10s), 2s);
  EXPECT_EQ(firstLimit(1000, 1, 60s, 10s), 200ms);
  EXPECT_EQ(firstLimit(1, 1, 60s, 10s), 10s);
  EXPECT_EQ(firstLimit(1, 1, 60s, 60s), 60s);
  EXPECT_EQ(firstLimit(2, 2, 40s, 60s), 40s);
  EXPECT_EQ(firstLimit(3, 2, 60s, 60s), 20s);
  EXPECT_EQ(firstLimit(1000, 1, 60s, 100ms), 100ms);
  EXPECT_EQ(nextLimit(200ms, 10s), 500ms);
  EXPECT_EQ(nextLimit(500ms, 10s), 2s);
  EXPECT_EQ(nextLimit(900ms, 10s), 2s);
  EXPECT_EQ(nextLimit(2s, 10s), 10s);
  EXPECT_EQ(nextLimit(2s, 4s), 4s);
  EXPECT_EQ(nextLimit(10s, 60s), 50s);
}

TEST(Rounds, WithoutATimeForAllThereIsOne) {
  RoundOptions options;
  options.perItem = 30ms;
  const Tries tries = run({1s, 0s, 1s}, options);
  ASSERT_EQ(tries.rounds.size(), 1u);
  EXPECT_TRUE(tries.rounds[0].isWhole);
  EXPECT_EQ(tries.order, (std::vector<size_t>{0, 1, 2}));
}

/// Limits that are counted, and no time for all: what is tried does not depend on the clock.
TEST(Rounds, EndAfterSoMany) {
  EXPECT_EQ(firstLimit(3, 1, std::nullopt, 10s, /*isCounted=*/true), 500ms);
  EXPECT_EQ(firstLimit(3, 1, std::nullopt, 100ms, /*isCounted=*/true), 100ms);
  RoundOptions options;
  options.perItem = 60ms;
  options.most = 1;
  const Tries short1 = run({1s, 0s}, options);
  ASSERT_EQ(short1.rounds.size(), 1u); // the limit is the whole time of one
  EXPECT_TRUE(short1.rounds[0].isWhole);
  options.perItem = 60s;
  std::vector<bool> ends;
  options.ended = [&](bool isLast) { ends.push_back(isLast); };
  // The second had two seconds before, so that it waits for a longer round, which does not come.
  const Tries tries = run({60s, 60s, 0s}, options, {0ms, 2s, 0ms});
  ASSERT_EQ(tries.rounds.size(), 1u);
  EXPECT_EQ(tries.rounds[0].limit, 500ms);
  EXPECT_TRUE(tries.rounds[0].isCounted);
  EXPECT_EQ(tries.order, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(tries.last.at(1), ChildEnd::Kind::AllOver);
  EXPECT_EQ(ends, std::vector<bool>{true});
  options.most = 2;
  EXPECT_EQ(run({60s, 0s}, options).limits.at(0), (std::vector<milliseconds>{500ms, 2s}));
}

TEST(Rounds, EachIsSaidToEndAndTheLastOne) {
  std::vector<bool> ends;
  RoundOptions options = within(2s, 10s);
  options.ended = [&](bool isLast) { ends.push_back(isLast); };
  const Tries tries = run({60s, 0s}, options);
  ASSERT_GT(ends.size(), 1u);
  EXPECT_EQ(std::count(ends.begin(), ends.end(), true), 1);
  EXPECT_TRUE(ends.back());
  EXPECT_LE(tries.rounds.size(), ends.size());
  ends.clear();
  RoundOptions whole;
  whole.perItem = 30ms;
  whole.ended = options.ended;
  run({0s}, whole);
  EXPECT_EQ(ends, std::vector<bool>{true});
}

TEST(Rounds, WhatNeverEndsDoesNotTakeTheTimeOfOthers) {
  for (const unsigned jobs : {1u, 2u}) {
    const auto began = Clock::now();
    // One of the first would take all of the time.
    const Tries tries = run({60s, 60s, 0s, 0s, 150ms}, within(2s, 10s, jobs));
    EXPECT_LT(Clock::now() - began, 3s);
    for (const size_t easy : {2, 3, 4}) EXPECT_EQ(tries.last.at(easy), ChildEnd::Kind::Done);
    EXPECT_EQ(tries.limits.at(2).size(), 1u);
    EXPECT_GT(tries.limits.at(0).size(), 1u); // the last in order, with what was left
    ASSERT_GT(tries.rounds.size(), 1u);
    EXPECT_LT(tries.rounds[1].items, 5u);
  }
}

TEST(Rounds, WhatIsAnsweredComesAfterWhatIsOpen) {
  // The last round is over in the middle.
  const Tries tries = run({60s, 60s}, within(1600ms, 500ms), {}, {0});
  ASSERT_GE(tries.order.size(), 3u);
  EXPECT_EQ(std::vector<size_t>(tries.order.begin(), tries.order.begin() + 3),
            (std::vector<size_t>{0, 1, 1}));
}

TEST(Rounds, WhatWasTriedBeforeWaitsForMoreTime) {
  const Tries tries = run({60s, 60s, 0s}, within(3s, 10s), {600ms, 0ms, 0ms});
  ASSERT_GE(tries.rounds.size(), 2u);
  EXPECT_LE(tries.rounds[0].limit, 500ms);
  EXPECT_EQ(tries.rounds[0].items, 2u);
  EXPECT_EQ(tries.order.front(), 1u);
}

/// A try with less than there was before would be in vain.
TEST(Rounds, TheRestOfTheTimeIsForThoseThatHadLess) {
  const Tries tries = run({60s, 60s}, within(1500ms, 10s), {600ms, 5s});
  EXPECT_EQ(tries.order, (std::vector<size_t>{0}));
  EXPECT_EQ(tries.last.at(1), ChildEnd::Kind::AllOver);
}

TEST(Rounds, AnInterruptEndsAllOfThem) {
  std::atomic<bool> stop{true};
  RoundOptions options = within(10s, 10s);
  options.children.stop = &stop;
  const Tries tries = run({60s, 60s}, options);
  EXPECT_EQ(tries.last.at(0), ChildEnd::Kind::Interrupted);
  EXPECT_TRUE(tries.rounds.empty());
}
