// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/GreatestFixpoint.h"

#include "support/Rng.h"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace fathom {
namespace {

struct Holds {
  bool value = true;
  bool holds() const { return value; }
};

/// A question holds unless it is false by itself, or one does not hold that it depends on.
struct Questions {
  std::vector<std::vector<uint32_t>> needs;
  std::vector<bool> isFalse;

  bool ask(GreatestFixpoint<uint32_t, Holds> &kept, uint32_t question) const {
    return kept
        .answer(question,
                [&] {
                  Holds out;
                  for (uint32_t other : needs[question]) out.value &= ask(kept, other);
                  out.value &= !isFalse[question];
                  return out;
                })
        .value;
  }
  /// All of them, by iterating until nothing changes.
  std::vector<bool> all() const {
    std::vector<bool> holds(needs.size(), true);
    for (bool changes = true; changes;) {
      changes = false;
      for (uint32_t q = 0; q < needs.size(); ++q) {
        bool now = !isFalse[q];
        for (uint32_t other : needs[q]) now = now && holds[other];
        changes |= holds[q] && !now;
        holds[q] = holds[q] && now;
      }
    }
    return holds;
  }
};

TEST(GreatestFixpoint, ACycleIsAsItsWorstMember) {
  const Questions graph{{{1}, {0}}, {true, false}};
  GreatestFixpoint<uint32_t, Holds> kept;
  EXPECT_FALSE(graph.ask(kept, 0));
  EXPECT_FALSE(graph.ask(kept, 1)) << "it was assumed of 0 while 1 was first answered";
}

TEST(GreatestFixpoint, IsThatOfIterationOnRandomGraphs) {
  Rng rng(11);
  size_t held = 0, failed = 0;
  for (int round = 0; round < 2000; ++round) {
    Questions graph;
    const uint64_t size = 1 + rng.below(12);
    graph.needs.resize(size);
    graph.isFalse.resize(size);
    for (uint32_t q = 0; q < size; ++q) {
      graph.isFalse[q] = rng.below(8) == 0;
      for (uint64_t n = rng.below(3); n > 0; --n)
        graph.needs[q].push_back(static_cast<uint32_t>(rng.below(size)));
    }
    const std::vector<bool> expected = graph.all();
    GreatestFixpoint<uint32_t, Holds> kept;
    for (int question = 0; question < 20; ++question) {
      const auto q = static_cast<uint32_t>(rng.below(size));
      ASSERT_EQ(graph.ask(kept, q), expected[q]) << "round " << round;
      ++(expected[q] ? held : failed);
    }
  }
  EXPECT_GT(held, 5000u);
  EXPECT_GT(failed, 5000u);
}

// A cycle that closes itself at each of its members must not be looked at again and again.
TEST(GreatestFixpoint, AsksEachQuestionOfACycleOnce) {
  constexpr uint32_t kSize = 40;
  GreatestFixpoint<uint32_t, Holds> kept;
  size_t computed = 0;
  const std::function<bool(uint32_t)> ask = [&](uint32_t question) {
    return kept
        .answer(question,
                [&] {
                  ++computed;
                  Holds out;
                  for (uint32_t other = 0; other < kSize; ++other) out.value &= ask(other);
                  return out;
                })
        .value;
  };
  EXPECT_TRUE(ask(0));
  EXPECT_EQ(computed, kSize);
}

} // namespace
} // namespace fathom
