// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What turns cost decides how often a place, and a searcher among several, gets one; and where a
// state is in the tree of forks decides how often random-path takes it, wherever it comes from.
#include "explore/search/SearcherTable.h"

#include "Support.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

namespace fathom::explore::test {
namespace {

const char *const kTwoPlaces = R"(
int main(void) {
  unsigned char in[2];
  __fathom_make_symbolic(in, sizeof in, "in");
  if (in[0]) {
    if (in[1] == 1) return 1;
  } else {
    if (in[1] == 2) return 2;
  }
  return 0;
}
)";

/// Two states, at the two sides of the first branch.
class TwoPlaces : public testing::Test {
protected:
  TwoPlaces() : program_(compile(kTwoPlaces)), rig_(program_), rng_(1) {
    std::string error;
    std::vector<std::unique_ptr<State>> start;
    start.push_back(rig_.executor->initialState(error));
    EXPECT_EQ(error, "");
    rig_.run(std::move(start), 1);
  }
  std::unique_ptr<Searcher> searcher(const std::string &names) {
    std::string error;
    std::unique_ptr<Searcher> s = makeSearcher(names, rig_.executor->interpreter, rng_, error);
    EXPECT_EQ(error, "");
    for (auto &state : rig_.live) s->add(nullptr, *state);
    return s;
  }
  /// How many of so many turns the first state got, when its turns cost so much.
  unsigned turnsOfFirst(Searcher &s, unsigned turns, double cost) {
    unsigned first = 0;
    for (unsigned i = 0; i < turns; i++) {
      State &state = s.next();
      const bool isFirst = &state == rig_.live[0].get();
      first += isFirst;
      s.spent(state, isFirst ? cost : 1);
      s.ran(state);
    }
    return first;
  }

  program::Program program_;
  Rig rig_;
  Rng rng_;
};

TEST_F(TwoPlaces, PlacesTakeTurnsWhenTheyCostTheSame) {
  ASSERT_EQ(rig_.live.size(), 2u);
  const unsigned first = turnsOfFirst(*searcher("covnew"), 2000, 1);
  EXPECT_GT(first, 800u);
  EXPECT_LT(first, 1200u);
}

TEST_F(TwoPlaces, DearPlaceIsChosenLessOften) {
  ASSERT_EQ(rig_.live.size(), 2u);
  // A tenth as often: 182.
  const unsigned first = turnsOfFirst(*searcher("covnew"), 2000, 100);
  EXPECT_GT(first, 140u);
  EXPECT_LT(first, 230u);
}

TEST_F(TwoPlaces, SearchersShareTimeNotTurns) {
  ASSERT_EQ(rig_.live.size(), 2u);
  // bfs always chooses the first one here, dfs the other.
  EXPECT_EQ(turnsOfFirst(*searcher("bfs,dfs"), 2000, 1), 1000u);
  EXPECT_NEAR(turnsOfFirst(*searcher("bfs,dfs"), 2000, 9), 200, 2);
  EXPECT_NEAR(turnsOfFirst(*searcher("dfs,bfs"), 2000, 9), 200, 2);
}

const char *const kTwoWaits = R"(
int main(void) {
  unsigned char in[4];
  int sum = 0;
  __fathom_make_symbolic(in, sizeof in, "in");
  if (in[0] * in[1] == 77) sum += 2;
  if (in[2] + in[3] == 300) sum += 4;
  return sum;
}
)";

ExploreOptions lazily() {
  ExploreOptions options;
  options.branchChecks = BranchChecks::Lazy;
  return options;
}

/// Two states that wait, at the two sides that the first path did not take.
class TwoWaits : public testing::Test {
protected:
  TwoWaits() : program_(compile(kTwoWaits)), rig_(program_, {}, lazily()), rng_(1) {
    std::string error;
    std::unique_ptr<State> start = rig_.executor->initialState(error);
    waits_ = rig_.executor->run(*start, 100000).forked;
  }
  std::unique_ptr<Searcher> searcher(const std::string &names) {
    std::string error;
    std::unique_ptr<Searcher> s = makeSearcher(names, rig_.executor->interpreter, rng_, error);
    for (auto &state : waits_) s->add(nullptr, *state);
    return s;
  }
  /// How many of so many turns the first state got, when its turns cost so much.
  unsigned turnsOfFirst(Searcher &s, unsigned turns, double cost) {
    unsigned first = 0;
    for (unsigned i = 0; i < turns; i++) {
      State &state = s.next();
      const bool isFirst = &state == waits_[0].get();
      first += isFirst;
      s.spent(state, isFirst ? cost : 1);
      s.ran(state);
    }
    return first;
  }

  program::Program program_;
  Rig rig_;
  Rng rng_;
  std::vector<std::unique_ptr<State>> waits_;
};

TEST_F(TwoWaits, RandomPathGivesQuestionsOfAllPlacesTheSameTime) {
  ASSERT_EQ(waits_.size(), 2u);
  EXPECT_NEAR(turnsOfFirst(*searcher("random-path"), 2000, 1), 1000, 120);
  EXPECT_NEAR(turnsOfFirst(*searcher("random-path"), 2000, 20), 2000.0 / 21, 50);
}

/// Both states lead to code that was never covered, from the same distance; a turn's cost is
/// nothing to it.
TEST_F(TwoWaits, MinDistanceWeighsDistanceOnly) {
  ASSERT_EQ(waits_.size(), 2u);
  EXPECT_NEAR(turnsOfFirst(*searcher("md2u"), 2000, 1), 1000, 120);
  EXPECT_NEAR(turnsOfFirst(*searcher("md2u"), 2000, 20), 1000, 120);
}

/// Although hardly an instruction was run since.
TEST_F(TwoWaits, WhatWasNewAndIsCoveredIsSoonLookedForLess) {
  ASSERT_EQ(waits_.size(), 2u);
  std::unique_ptr<Searcher> s = searcher("covnew");
  EXPECT_NEAR(turnsOfFirst(*s, 500, 1), 250, 50);
  const Pending &first = *waits_[0]->pending;
  Interpreter &interpreter = rig_.executor->interpreter;
  interpreter.state = waits_[0].get();
  interpreter.coverage.traceBranch(*waits_[0], first.branchId, first.side);
  interpreter.coverage.coverTarget(*waits_[0], first.coverIndex);
  turnsOfFirst(*s, 1000, 1);
  EXPECT_LT(turnsOfFirst(*s, 1000, 1), 440u);
}

/// One state leaves at each turn of a loop: half of the choices are the first one's, a quarter the
/// second one's, and so on.
const char *const kComb = R"(
int main(void) {
  unsigned char in[7];
  __fathom_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 7; i++)
    if (in[i]) return i;
  return 7;
}
)";

class RandomPath : public testing::Test {
protected:
  static constexpr unsigned kTurns = 16384;
  RandomPath() : program_(compile(kComb)), here_(program_), there_(program_), rng_(1) {
    std::string error;
    search_ = makeSearcher("random-path", here_.executor->interpreter, rng_, error);
    loop_ = here_.executor->initialState(error);
    search_->add(nullptr, *loop_);
  }
  /// Adds the states that leave, in the order in which they do.
  void grow() {
    while (states_.size() < 7) {
      Step step = here_.executor->run(*loop_, 100000);
      for (auto &forked : step.forked) {
        search_->add(loop_.get(), *forked);
        states_.push_back(std::move(forked));
      }
      ASSERT_TRUE(step.alive);
    }
  }
  std::map<const State *, unsigned> draw(Searcher &s) {
    std::map<const State *, unsigned> turns;
    for (unsigned i = 0; i < kTurns; i++) turns[&s.next()]++;
    return turns;
  }
  /// These states have a half, a quarter ...
  static void expectHalves(std::map<const State *, unsigned> turns,
                           const std::vector<std::unique_ptr<State>> &states) {
    double share = kTurns;
    for (const auto &state : states) {
      share /= 2;
      EXPECT_NEAR(turns[state.get()], share, 4 * std::sqrt(share) + 1);
    }
  }
  /// The states as another worker, or a run that is resumed, has them: in any order, and nobody's
  /// forks.
  std::unique_ptr<Searcher> handOver(const std::vector<size_t> &order,
                                     std::vector<std::unique_ptr<State>> &restored) {
    std::string error;
    std::unique_ptr<Searcher> s =
        makeSearcher("random-path", there_.executor->interpreter, rng_, error);
    restored.clear();
    restored.resize(states_.size());
    for (size_t i : order) {
      restored[i] = there_.executor->restore(here_.executor->prefixOf(*states_[i]), error);
      EXPECT_TRUE(restored[i]) << error;
      if (restored[i]) s->add(nullptr, *restored[i]);
    }
    return s;
  }

  program::Program program_;
  Rig here_, there_;
  Rng rng_;
  std::unique_ptr<Searcher> search_;
  std::unique_ptr<State> loop_;
  std::vector<std::unique_ptr<State>> states_;
};

TEST_F(RandomPath, TakesEachWayAtAForkAsOften) {
  grow();
  expectHalves(draw(*search_), states_);
  search_->remove(*states_[0]); // what is left has its half
  states_.erase(states_.begin());
  expectHalves(draw(*search_), states_);
}

TEST_F(RandomPath, StatesThatAreHandedOverKeepTheirPlaces) {
  grow();
  states_.push_back(std::move(loop_));
  std::vector<size_t> order(states_.size());
  std::iota(order.begin(), order.end(), 0);
  for (unsigned n = 0; n < 6; n++) {
    std::vector<std::unique_ptr<State>> restored;
    std::unique_ptr<Searcher> s = handOver(order, restored);
    auto turns = draw(*s);
    EXPECT_NEAR(turns[restored.back().get()], kTurns / 128.0, 50); // as much as the one before it
    restored.pop_back();
    expectHalves(std::move(turns), restored);
    if (n == 0)
      std::reverse(order.begin(), order.end());
    else
      for (size_t i = order.size(); i > 1; i--)
        std::swap(order[i - 1], order[rng_.below(static_cast<uint32_t>(i))]);
  }
}

TEST_F(RandomPath, AStateThatWasSetAsideComesBackToItsPlace) {
  grow();
  for (size_t i : {0u, 3u, 6u}) { // at the top, in the middle, at the bottom
    std::string error;
    auto again = here_.executor->restore(here_.executor->prefixOf(*states_[i]), error);
    ASSERT_TRUE(again) << error;
    search_->remove(*states_[i]);
    search_->add(nullptr, *again);
    states_[i] = std::move(again);
    expectHalves(draw(*search_), states_);
  }
}

TEST_F(RandomPath, WhatForksAfterwardsIsBelow) {
  // Two states of the loop are handed over, and what comes of them grows there.
  Step step = here_.executor->run(*loop_, 100000);
  ASSERT_EQ(step.forked.size(), 1u);
  states_.push_back(std::move(step.forked[0]));
  states_.push_back(std::move(loop_));
  std::vector<std::unique_ptr<State>> restored;
  std::unique_ptr<Searcher> s = handOver({1, 0}, restored);
  State &loop = *restored[1];
  std::vector<std::unique_ptr<State>> grown;
  grown.push_back(std::move(restored[0]));
  while (grown.size() < 5) {
    Step more = there_.executor->run(loop, 100000);
    for (auto &forked : more.forked) {
      s->add(&loop, *forked);
      grown.push_back(std::move(forked));
    }
    ASSERT_TRUE(more.alive);
  }
  expectHalves(draw(*s), grown);
}

// Where there are thousands of states, the next choices are below the one that has just forked: it
// is near. Where there are few, every choice begins at the root.
TEST_F(RandomPath, GoesOnForAWhileWhereItWasAmongMany) {
  grow();
  std::vector<std::unique_ptr<State>> copies;
  auto fork = [&](State &from) -> State & {
    copies.push_back(std::make_unique<State>(from));
    State &copy = *copies.back();
    copy.forkedAt = from.log.size();
    copy.log.append(Record::Fork, 1);
    search_->add(&from, copy);
    return copy;
  };
  // The share of choices that stay in the family of the one before.
  auto staying = [&] {
    unsigned below = 0, choices = 0;
    for (unsigned round = 0; round < 200; round++) {
      State *at = &search_->next();
      const size_t before = copies.size();
      std::set<const State *> members{at};
      for (unsigned n = 0; n < 4; n++, choices++) {
        members.insert(&fork(*at));
        at = &search_->next();
        below += members.contains(at);
      }
      for (; copies.size() > before; copies.pop_back()) search_->remove(*copies.back());
      search_->next(); // what was chosen is gone, or has not forked: from the root again
    }
    return static_cast<double>(below) / choices;
  };
  EXPECT_LT(staying(), 0.7);
  // As a full tree: every state of a generation forks.
  std::vector<State *> all;
  for (auto &state : states_) all.push_back(state.get());
  while (all.size() < 8192)
    for (size_t i = 0, n = all.size(); i < n; i++) all.push_back(&fork(*all[i]));
  EXPECT_GT(staying(), 0.9);
}

// Nor does the end of a path lead far away: what was beside it is next.
TEST_F(RandomPath, GoesOnBesideAPathThatHasEndedAmongMany) {
  grow();
  std::vector<std::unique_ptr<State>> copies;
  std::vector<State *> all;
  std::map<const State *, size_t> numberOf;
  for (auto &state : states_) {
    numberOf[state.get()] = all.size();
    all.push_back(state.get());
  }
  while (all.size() < 8192)
    for (size_t i = 0, n = all.size(); i < n; i++) {
      copies.push_back(std::make_unique<State>(*all[i]));
      copies.back()->forkedAt = all[i]->log.size();
      copies.back()->log.append(Record::Fork, 1);
      search_->add(all[i], *copies.back());
      numberOf[copies.back().get()] = all.size();
      all.push_back(copies.back().get());
    }
  // Those of the last three generations that come of the same state.
  const size_t families = all.size() / 8;
  unsigned beside = 0;
  constexpr unsigned kEnds = 200;
  for (unsigned ends = 0; ends < kEnds; ends++) {
    State &ended = search_->next();
    search_->remove(ended);
    beside += numberOf[&ended] % families == numberOf[&search_->next()] % families;
  }
  EXPECT_GT(beside, kEnds * 8 / 10);
}

} // namespace
} // namespace fathom::explore::test
