// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Realizable paths against their definition, on generated graphs with nested and recursive calls.
#include "statics/valueflow/Reachability.h"

#include "support/Rng.h"

#include <gtest/gtest.h>

#include <set>

namespace fathom::statics {
namespace {

using Relation = std::vector<std::set<FlowNode>>;

/// The definition: matched paths are the least relation with
///   M = identity | M direct | M call(l) M return(l),
/// and a realizable path has returns without calls first, and calls without returns last.
std::vector<FlowNode> realizable(const std::vector<FlowGraph::Raw> &edges, uint32_t nodes,
                                 FlowNode begin) {
  auto kind = [](const FlowGraph::Raw &e) { return FlowEdge{0, e.label}.kind(); };
  Relation matched(nodes);
  for (FlowNode n = 0; n < nodes; n++) matched[n].insert(n);
  for (bool changed = true; changed;) {
    changed = false;
    auto include = [&](FlowNode a, FlowNode b) { changed |= matched[a].insert(b).second; };
    for (FlowNode n = 0; n < nodes; n++)
      for (const FlowNode m : std::set<FlowNode>(matched[n]))
        for (const auto &e : edges) {
          if (e.from != m) continue;
          if (kind(e) == FlowKind::Direct) include(n, e.to);
          if (kind(e) != FlowKind::Call) continue;
          for (const auto &back : edges)
            if (kind(back) == FlowKind::Return && back.label >> 2 == e.label >> 2 &&
                matched[e.to].count(back.from))
              include(n, back.to);
        }
  }
  std::set<std::pair<FlowNode, bool>> seen;
  std::vector<std::pair<FlowNode, bool>> open{{begin, false}};
  std::set<FlowNode> reached;
  while (!open.empty()) {
    const auto state = open.back();
    open.pop_back();
    if (!seen.insert(state).second) continue;
    const auto [node, entered] = state;
    for (const FlowNode m : matched[node]) {
      reached.insert(m);
      for (const auto &e : edges) {
        if (e.from != m) continue;
        if (kind(e) == FlowKind::Return && !entered) open.emplace_back(e.to, false);
        if (kind(e) == FlowKind::Call) open.emplace_back(e.to, true);
      }
    }
  }
  return {reached.begin(), reached.end()};
}

struct RandomGraph {
  uint32_t nodes;
  std::vector<FlowGraph::Raw> edges;
};

/// Functions of four nodes; calls between them, also recursive ones, with the same label in and
/// out.
RandomGraph randomGraph(Rng &rng) {
  const uint32_t functions = 2 + rng.below(4);
  RandomGraph g{functions * 4, {}};
  for (uint32_t n = 0; n < g.nodes; n++)
    if (rng.below(3)) g.edges.push_back({n, n / 4 * 4 + rng.below(4), 0});
  const uint32_t calls = 1 + rng.below(6);
  for (uint32_t call = 0; call < calls; call++) {
    const uint32_t caller = rng.below(functions) * 4, callee = rng.below(functions) * 4;
    for (uint32_t n = 1 + rng.below(2); n > 0; n--)
      g.edges.push_back(
          {caller + rng.below(4), callee + rng.below(4), FlowEdge::labelOf(FlowKind::Call, call)});
    for (uint32_t n = 1 + rng.below(2); n > 0; n--)
      g.edges.push_back({callee + rng.below(4), caller + rng.below(4),
                         FlowEdge::labelOf(FlowKind::Return, call)});
  }
  return g;
}

TEST(Reachability, FollowsExactlyTheRealizablePaths) {
  Rng rng(11);
  uint64_t reached = 0;
  for (int round = 0; round < 400; round++) {
    const RandomGraph g = randomGraph(rng);
    const FlowGraph graph(g.nodes, g.edges);
    Reachability forward(graph, FlowDirection::Forward), backward(graph, FlowDirection::Backward);
    std::vector<std::set<FlowNode>> into(g.nodes);
    for (FlowNode n = 0; n < g.nodes; n++) {
      const std::vector<FlowNode> expected = realizable(g.edges, g.nodes, n);
      ASSERT_EQ(forward.from(n), expected) << "round " << round << " node " << n;
      for (const FlowNode to : expected) into[to].insert(n);
      reached += expected.size();
    }
    for (FlowNode n = 0; n < g.nodes; n++) {
      const std::vector<FlowNode> sources = backward.from(n);
      ASSERT_EQ(std::set<FlowNode>(sources.begin(), sources.end()), into[n])
          << "round " << round << " node " << n;
    }
  }
  EXPECT_GT(reached, 10000u);
}

TEST(Reachability, ReturnsGoBackToTheirCalls) {
  // 0 -(0-> 10 -)0-> 1 and 2 -(1-> 10 -)1-> 3: the identity function called twice.
  const FlowGraph graph(11, {{0, 10, FlowEdge::labelOf(FlowKind::Call, 0)},
                             {2, 10, FlowEdge::labelOf(FlowKind::Call, 1)},
                             {10, 1, FlowEdge::labelOf(FlowKind::Return, 0)},
                             {10, 3, FlowEdge::labelOf(FlowKind::Return, 1)}});
  Reachability forward(graph, FlowDirection::Forward), backward(graph, FlowDirection::Backward);
  EXPECT_EQ(forward.from(0), (std::vector<FlowNode>{0, 1, 10}));
  EXPECT_EQ(backward.from(3), (std::vector<FlowNode>{2, 3, 10}));
  EXPECT_EQ(forward.from(10), (std::vector<FlowNode>{1, 3, 10}));
  const std::vector<FlowStep> path = forward.path(0, 1);
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(path[1].kind, FlowStep::Summary);
  EXPECT_EQ(path[1].call, 0u);
  EXPECT_TRUE(forward.path(0, 3).empty());
  EXPECT_EQ(forward.exitsOf(10), (std::vector<FlowNode>{10}));
}

TEST(Reachability, PathsAreMadeOfEdges) {
  Rng rng(12);
  for (int round = 0; round < 100; round++) {
    const RandomGraph g = randomGraph(rng);
    const FlowGraph graph(g.nodes, g.edges);
    Reachability forward(graph, FlowDirection::Forward);
    for (FlowNode a = 0; a < g.nodes; a++)
      for (const FlowNode b : forward.from(a)) {
        const std::vector<FlowStep> path = forward.path(a, b);
        ASSERT_FALSE(path.empty());
        EXPECT_EQ(path.front().node, a);
        EXPECT_EQ(path.back().node, b);
        for (size_t i = 1; i < path.size(); i++) {
          if (path[i].kind == FlowStep::Summary) continue;
          bool isEdge = false;
          for (const FlowEdge &e : graph.successors(path[i - 1].node))
            isEdge |= e.to == path[i].node;
          EXPECT_TRUE(isEdge);
        }
      }
  }
}

} // namespace
} // namespace fathom::statics
