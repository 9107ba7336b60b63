// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/ReachProbability.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace fathom::estimate;

namespace {
constexpr uint32_t kNone = FlowGraph::kNoSide;

/// Block 0, in all ten units, ends in sides 0 (taken in all) and 1 (never) to blocks 1 and 2.
FlowGraph twoWays() {
  FlowGraph graph;
  graph.units = 10;
  graph.blocks = {{10}, {10}, {0}};
  graph.sides = {{10}, {0}};
  graph.edges = {{0, 1, 0}, {0, 2, 1}};
  return graph;
}
} // namespace

TEST(ReachProbability, Frontier) {
  ReachProbabilities p = reachProbabilities(twoWays(), 1);
  EXPECT_DOUBLE_EQ(p.sides[1], 0.1 / 11);
  EXPECT_DOUBLE_EQ(p.blocks[2], 0.1 / 11);
  EXPECT_EQ(p.sides[0], 0) << "covered";
  EXPECT_EQ(p.blocks[0], 0);
  EXPECT_DOUBLE_EQ(reachProbabilities(twoWays(), 0.5).sides[1], 0.05 / 10.5);
  FlowGraph rare = twoWays();
  rare.blocks[0].units = rare.blocks[1].units = rare.sides[0].units = 2;
  EXPECT_DOUBLE_EQ(reachProbabilities(rare, 1).sides[1], 0.1 / 3)
      << "seldom executed, and so less is known of it";
}

// Uncovered sides of one block share what is left; unreachable ones take nothing.
TEST(ReachProbability, SeveralSides) {
  FlowGraph graph = twoWays();
  graph.blocks.push_back({});
  graph.sides.push_back({});
  graph.edges.push_back({0, 3, 2});
  ReachProbabilities p = reachProbabilities(graph, 1);
  EXPECT_DOUBLE_EQ(p.sides[1], 0.1 / 12);
  EXPECT_DOUBLE_EQ(p.sides[2], 0.1 / 12);
  graph.sides[2].isUnreachable = graph.blocks[3].isUnreachable = true;
  p = reachProbabilities(graph, 1);
  EXPECT_DOUBLE_EQ(p.sides[1], 0.1 / 11);
  EXPECT_EQ(p.sides[2], 0);
  EXPECT_EQ(p.blocks[3], 0);
}

// Behind the frontier: sides share equally, jumps and calls pass all on, ways add up.
TEST(ReachProbability, Behind) {
  FlowGraph graph = twoWays();
  graph.blocks.resize(7);
  graph.sides.resize(4);
  graph.edges.insert(
      graph.edges.end(),
      {{2, 3, 2}, {2, 4, 3}, {3, 5, kNone}, {4, 5, kNone}, {4, 6, kNone}}); // the last one a call
  ReachProbabilities p = reachProbabilities(graph, 1);
  EXPECT_DOUBLE_EQ(p.sides[2], 0.05 / 11);
  EXPECT_DOUBLE_EQ(p.blocks[3], 0.05 / 11);
  EXPECT_DOUBLE_EQ(p.blocks[5], 0.1 / 11);
  EXPECT_DOUBLE_EQ(p.blocks[6], 0.05 / 11);
}

// Nothing is likelier than what it lies behind, however often control may come back.
TEST(ReachProbability, LoopsAndRecursion) {
  FlowGraph graph = twoWays();
  graph.blocks.resize(5);
  graph.sides.resize(4);
  // 2 is a loop of itself and 3, which it leaves to 4.
  graph.edges.insert(graph.edges.end(), {{2, 3, 2}, {2, 4, 3}, {3, 2, kNone}});
  ReachProbabilities p = reachProbabilities(graph, 1);
  EXPECT_DOUBLE_EQ(p.blocks[2], 0.1 / 11);
  EXPECT_DOUBLE_EQ(p.blocks[4], 0.05 / 11);
  // 2 calls itself twice, from 3.
  graph.edges = {{0, 1, 0}, {0, 2, 1}, {2, 3, 2}, {2, 4, 3}, {3, 2, kNone}, {3, 2, kNone}};
  p = reachProbabilities(graph, 1);
  EXPECT_DOUBLE_EQ(p.blocks[2], 0.1 / 11);
  EXPECT_DOUBLE_EQ(p.sides[2], 0.05 / 11);
}

TEST(ReachProbability, FittedSmoothing) {
  for (double rate : {0.0001, 0.005, 0.05})
    EXPECT_NEAR(reachProbabilities(twoWays(), fittedSmoothing(twoWays(), rate)).expectedSides(1),
                rate, 1e-4 * rate);
  EXPECT_LT(fittedSmoothing(twoWays(), 0), 2e-9);
}

TEST(ReachProbability, ExpectedSides) {
  ReachProbabilities p{{}, {0, 0.5, 1, 0.01}};
  EXPECT_DOUBLE_EQ(p.expectedSides(1), 1.51);
  EXPECT_NEAR(p.expectedSides(2), 0.75 + 1 + (1 - 0.99 * 0.99), 1e-12);
}
