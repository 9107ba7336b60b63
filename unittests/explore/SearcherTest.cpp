// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What turns cost decides how often a place, and a searcher among several, gets one.
#include "explore/Searcher.h"

#include "Support.h"

#include <gtest/gtest.h>

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
    std::unique_ptr<Searcher> s = makeSearcher(names, rig_.executor->machine, rng_, error);
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

} // namespace
} // namespace fathom::explore::test
