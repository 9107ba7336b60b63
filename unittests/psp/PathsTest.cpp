// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sample filtered by path, against executions that are simulated here and filtered one by one.
#include "psp/Paths.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

namespace fathom::psp {
namespace {

using Taken = std::vector<std::pair<uint32_t, uint32_t>>; // (branch, side) in order

/// Of a path that no execution took.
constexpr uint64_t kNoPath = 12345;

uint64_t hashOf(const Taken &path) {
  uint64_t hash = Paths::kNoClauses;
  for (const auto &[branch, side] : path) hash = Paths::extended(hash, branch, side);
  return hash;
}

/// The tree of the executions.
std::vector<PathEdge> treeOf(const std::vector<Taken> &executions) {
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, PathEdge> edges;
  for (const Taken &execution : executions) {
    uint64_t hash = hashOf({});
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
    EXPECT_EQ(paths.ofSide(2, a, clauses, kNoPath), 1);
    EXPECT_LT(*paths.ofSide(2, 1 - a, clauses, kNoPath), 0.01) << "about a thousand came here";
  }
  EXPECT_EQ(paths.ofSide(1, 0, Paths::kNoClauses, kNoPath), 1);
  EXPECT_FALSE(paths.ofSide(2, 0, Paths::kNoClauses, kNoPath))
      << "nobody came to 2 without passing 0";
  EXPECT_FALSE(paths.ofSide(9, 0, Paths::kNoClauses, kNoPath));
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
    EXPECT_EQ(paths.ofSide(5, 1, Paths::kNoClauses, kNoPath), 1);
    EXPECT_DOUBLE_EQ(*paths.ofSide(5, 0, Paths::kNoClauses, kNoPath), 1. / (n + 2));
  }
}

TEST(Paths, EdgesWithoutTheirPathAreLeftOut) {
  std::vector<PathEdge> edges = treeOf({{{0, 1}, {1, 0}}});
  edges.push_back({.before = 12345, .after = 54321, .branch = 1, .side = 1, .count = 9});
  const Paths paths(edges, Paths::kNoClauses);
  EXPECT_EQ(paths.edges(), 2u);
}

/// Three bits of which the third is the exclusive or of the others: no pair of them depends on each
/// other, so each is a group of its own.
TEST(Paths, ExecutionsOnTheSamePathAreAskedFirst) {
  std::vector<Taken> all;
  for (unsigned i = 0; i < 400; i++) {
    const uint32_t a = i & 1, b = i >> 1 & 1;
    all.push_back({{0, a}, {1, b}, {2, a ^ b}});
  }
  const Paths paths(treeOf(all), Paths::kNoClauses);
  ASSERT_EQ(paths.groups(), 3u);
  for (uint32_t a : {0u, 1u})
    for (uint32_t b : {0u, 1u}) {
      const uint64_t path = hashOf({{0, a}, {1, b}});
      EXPECT_EQ(paths.ofSide(2, a ^ b, Paths::kNoClauses, path), 1);
      EXPECT_LT(*paths.ofSide(2, 1 - (a ^ b), Paths::kNoClauses, path), 0.03) << "one of a hundred";
    }
  EXPECT_EQ(paths.ofSide(2, 0, Paths::kNoClauses, kNoPath), 1) << "nobody was there";
}

/// Too few to contradict what all others did.
TEST(Paths, AFewExecutionsOnTheSamePathDecideNothing) {
  std::vector<Taken> all = {{{0, 0}, {1, 1}}, {{0, 0}, {1, 1}}};
  for (unsigned i = 0; i < 40; i++) all.push_back({{0, 1}, {1, i % 2}});
  const Paths paths(treeOf(all), Paths::kNoClauses);
  ASSERT_NE(paths.groupOf(0), paths.groupOf(1));
  // Side 0 of branch 1: 20 of 42; two executions without it are no rare thing.
  EXPECT_EQ(paths.ofSide(1, 0, Paths::kNoClauses, hashOf({{0, 0}})), 1);
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
  using Sides = std::map<uint32_t, unsigned>;
  std::map<std::pair<uint32_t, Taken>, Sides> alike, same; // by branch, and C' or the whole path
  std::map<std::pair<uint32_t, Taken>, Taken> clausesOf;   // of those of `same`
  for (const Taken &path : all)
    for (size_t i = 0; i < path.size(); i++) {
      Taken clauses;
      for (size_t j = 0; j < i; j++)
        if (paths.groupOf(path[j].first) == paths.groupOf(path[i].first))
          clauses.push_back(path[j]);
      const Taken before(path.begin(), path.begin() + static_cast<ptrdiff_t>(i));
      alike[{path[i].first, clauses}][path[i].second]++;
      same[{path[i].first, before}][path[i].second]++;
      clausesOf[{path[i].first, before}] = clauses;
    }
  auto count = [](const Sides &sides) {
    unsigned n = 0;
    for (const auto &[side, times] : sides) n += times;
    return n;
  };
  for (const auto &[where, sides] : alike)
    for (uint32_t side : {0u, 1u})
      EXPECT_DOUBLE_EQ(*paths.ofSide(where.first, side, hashOf(where.second), kNoPath),
                       sides.contains(side) ? 1 : 1. / (count(sides) + 2));
  for (const auto &[where, sides] : same) {
    const Taken &clauses = clausesOf[where];
    const Sides &others = alike[{where.first, clauses}];
    for (uint32_t side : {0u, 1u}) {
      double expected = 1;
      if (!others.contains(side))
        expected = 1. / (count(others) + 2);
      else if (!sides.contains(side) &&
               std::pow(1 - double(others.at(side)) / count(others), count(sides)) < 0.05)
        expected = 1. / (count(sides) + 2);
      EXPECT_DOUBLE_EQ(*paths.ofSide(where.first, side, hashOf(clauses), hashOf(where.second)),
                       expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPaths, testing::Range<uint64_t>(1, 9));

} // namespace
} // namespace fathom::psp
