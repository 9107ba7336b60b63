// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sample filtered by path, against executions that are simulated here and filtered one by one.
#include "psp/Paths.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace fathom::psp {
namespace {

using Taken = std::vector<std::pair<uint32_t, uint32_t>>; // (branch, side) in order

/// The tree of the executions.
std::vector<PathEdge> treeOf(const std::vector<Taken> &executions) {
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, PathEdge> edges;
  for (const Taken &execution : executions) {
    uint64_t hash = Paths::kNoClauses;
    for (const auto &[branch, side] : execution) {
      const uint64_t after = Paths::extended(hash, branch, side);
      PathEdge &edge =
          edges.try_emplace({hash, branch, side}, PathEdge{hash, after, branch, side, 0})
              .first->second;
      edge.count++;
      hash = after;
    }
  }
  std::vector<PathEdge> out;
  for (const auto &[key, edge] : edges) out.push_back(edge);
  return out;
}

TEST(Paths, ChiSquaredByHand) {
  EXPECT_DOUBLE_EQ(chiSquared({10, 20, 30, 40}), 100.0 * 200 * 200 / (30. * 70 * 40 * 60));
  EXPECT_DOUBLE_EQ(chiSquared({50, 50, 50, 50}), 0);
  EXPECT_DOUBLE_EQ(chiSquared({50, 0, 0, 50}), 100);
  EXPECT_DOUBLE_EQ(chiSquared({50, 50, 0, 0}), 0) << "one side only: a constant";
}

/// Branch 0 and 1 ask independent things; 2 asks what 0 has asked.
std::vector<Taken> executions(unsigned count) {
  Rng rng(7);
  std::vector<Taken> out;
  for (unsigned i = 0; i < count; i++) {
    const uint32_t a = rng.below(2), b = rng.below(2);
    out.push_back({{0, a}, {1, b}, {2, a}});
  }
  return out;
}

TEST(Paths, IndependentClausesAreLeftOut) {
  const Paths paths(treeOf(executions(2000)), Paths::kNoClauses);
  EXPECT_EQ(paths.groups(), 2u);
  EXPECT_EQ(paths.groupOf(0), paths.groupOf(2));
  EXPECT_NE(paths.groupOf(0), paths.groupOf(1));
  EXPECT_EQ(paths.groupOf(9), Paths::kNoGroup);
  for (uint32_t a : {0u, 1u}) {
    const uint64_t clauses = Paths::extended(Paths::kNoClauses, 0, a);
    EXPECT_EQ(paths.ofSide(2, a, clauses), 1);
    EXPECT_LT(*paths.ofSide(2, 1 - a, clauses), 0.01) << "about a thousand came here";
  }
  EXPECT_EQ(paths.ofSide(1, 0, Paths::kNoClauses), 1);
  EXPECT_FALSE(paths.ofSide(2, 0, Paths::kNoClauses)) << "nobody came to 2 without passing 0";
  EXPECT_FALSE(paths.ofSide(9, 0, Paths::kNoClauses));
}

/// Of a pair that is dependent only through a third one.
TEST(Paths, DependenceIsTransitive) {
  Rng rng(3);
  std::vector<Taken> all;
  for (unsigned i = 0; i < 4000; i++) {
    const uint32_t a = rng.below(2), c = rng.below(2);
    all.push_back({{0, a}, {1, c}, {2, a | c}}); // 0 and 1 are independent of each other
  }
  const Paths paths(treeOf(all), Paths::kNoClauses);
  EXPECT_EQ(paths.groups(), 1u);
}

TEST(Paths, TheEstimateOfWhatWasNotSeenGetsSmallerWithTheSample) {
  for (unsigned n : {1u, 8u, 98u}) {
    const Paths paths(treeOf(std::vector<Taken>(n, {{5, 1}})), Paths::kNoClauses);
    EXPECT_EQ(paths.ofSide(5, 1, Paths::kNoClauses), 1);
    EXPECT_DOUBLE_EQ(*paths.ofSide(5, 0, Paths::kNoClauses), 1. / (n + 2));
  }
}

TEST(Paths, EdgesWithoutTheirPathAreLeftOut) {
  std::vector<PathEdge> edges = treeOf({{{0, 1}, {1, 0}}});
  edges.push_back({.before = 12345, .after = 54321, .branch = 1, .side = 1, .count = 9});
  const Paths paths(edges, Paths::kNoClauses);
  EXPECT_EQ(paths.edges(), 2u);
}

/// Random programs: each execution is a walk whose sides depend on a few input bits. What a group's
/// clauses select is compared with a filter over all executions.
class RandomPaths : public testing::TestWithParam<uint64_t> {};

TEST_P(RandomPaths, FilterAsOneByOne) {
  Rng rng(GetParam());
  std::vector<Taken> all;
  std::vector<uint32_t> bit(12), branch(12);
  for (unsigned i = 0; i < 12; i++) bit[i] = rng.below(5), branch[i] = rng.below(6);
  for (unsigned n = 0; n < 500; n++) {
    const uint64_t input = rng.below(32);
    Taken path;
    for (unsigned i = 0; i < 12 && !(i > 4 && input == i); i++)
      path.push_back({branch[i], static_cast<uint32_t>(input >> bit[i] & 1)});
    all.push_back(path);
  }
  const Paths paths(treeOf(all), Paths::kNoClauses);
  std::map<std::pair<uint32_t, Taken>, std::map<uint32_t, unsigned>> expected; // by branch and C'
  for (const Taken &path : all)
    for (size_t i = 0; i < path.size(); i++) {
      Taken clauses;
      for (size_t j = 0; j < i; j++)
        if (paths.groupOf(path[j].first) == paths.groupOf(path[i].first))
          clauses.push_back(path[j]);
      expected[{path[i].first, clauses}][path[i].second]++;
    }
  for (const auto &[where, sides] : expected) {
    uint64_t clauses = Paths::kNoClauses;
    for (const auto &[b, side] : where.second) clauses = Paths::extended(clauses, b, side);
    unsigned n = 0;
    for (const auto &[side, count] : sides) n += count;
    for (uint32_t side : {0u, 1u})
      EXPECT_DOUBLE_EQ(*paths.ofSide(where.first, side, clauses),
                       sides.contains(side) ? 1 : 1. / (n + 2));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPaths, testing::Range<uint64_t>(1, 9));

} // namespace
} // namespace fathom::psp
