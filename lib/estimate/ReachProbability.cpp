// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ReachProbability.h has the model and its symbols. Probabilities start at the sides of covered
// blocks and spread over uncovered ones in the order of a breadth-first search.
#include "estimate/ReachProbability.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom::estimate {

namespace {

struct ByFrom {
  bool operator()(const FlowGraph::Edge *edge, uint32_t from) const { return edge->from < from; }
  bool operator()(uint32_t from, const FlowGraph::Edge *edge) const { return from < edge->from; }
};

bool isOpen(const FlowGraph::Element &element) {
  return !element.units && !element.isUnreachable && !element.isCovered;
}

} // namespace

double ReachProbabilities::expectedSides(double more) const {
  double sum = 0;
  for (double p : sides) sum += p < 1 ? -std::expm1(more * std::log1p(-p)) : 1;
  return sum;
}

ReachProbabilities reachProbabilities(const FlowGraph &graph, double smoothing) {
  ReachProbabilities chance;
  chance.blocks.assign(graph.blocks.size(), 0);
  chance.sides.assign(graph.sides.size(), 0);
  const auto n = static_cast<double>(graph.units);
  std::vector<double> open(graph.blocks.size(), 0); // sides of a block that may still come
  for (const FlowGraph::Edge &edge : graph.edges)
    if (edge.side != FlowGraph::kNoSide && isOpen(graph.sides[edge.side])) open[edge.from]++;
  /// p of a side, or of a jump, of a covered block with `ways` uncovered sides.
  auto fromCoveredBlock = [&](uint32_t block, double ways) {
    auto c = static_cast<double>(std::max<uint64_t>(1, graph.blocks[block].units));
    return smoothing / (c + smoothing * ways) / n;
  };

  /// From an uncovered block, its open sides are equally probable; a jump or a call is certain.
  auto openSidesOf = [&](const FlowGraph::Edge &edge) {
    return edge.side == FlowGraph::kNoSide ? 1 : open[edge.from];
  };

  std::vector<double> enteredFromCovered(graph.blocks.size(), 0); // probability, by block
  std::vector<const FlowGraph::Edge *> fromUncovered;
  for (const FlowGraph::Edge &edge : graph.edges) {
    const bool isSide = edge.side != FlowGraph::kNoSide;
    if (isSide && !isOpen(graph.sides[edge.side])) continue;
    if (!graph.blocks[edge.from].units && !graph.blocks[edge.from].isCovered) {
      if (isOpen(graph.blocks[edge.from])) fromUncovered.push_back(&edge);
      continue;
    }
    const double p = fromCoveredBlock(edge.from, isSide ? open[edge.from] : 1);
    if (isSide) chance.sides[edge.side] = p;
    if (isOpen(graph.blocks[edge.to])) enteredFromCovered[edge.to] += p;
  }
  // Probability spreads away from covered blocks only: edges back, of loops and recursion, add
  // nothing.
  constexpr uint32_t kNowhere = ~0u;
  std::vector<uint32_t> distance(graph.blocks.size(), kNowhere), order;
  for (uint32_t block = 0; block < enteredFromCovered.size(); ++block)
    if (enteredFromCovered[block] > 0) distance[block] = 0, order.push_back(block);
  std::sort(fromUncovered.begin(), fromUncovered.end(), [](const auto *a, const auto *b) {
    return std::pair(a->from, a) < std::pair(b->from, b); // pointers into one vector: by number
  });
  auto leaving = [&](uint32_t block) {
    return std::equal_range(fromUncovered.begin(), fromUncovered.end(), block, ByFrom());
  };
  for (size_t i = 0; i < order.size(); ++i) {
    auto [edge, end] = leaving(order[i]);
    for (; edge != end; ++edge)
      if (const uint32_t to = (*edge)->to; distance[to] == kNowhere && isOpen(graph.blocks[to])) {
        distance[to] = distance[order[i]] + 1;
        order.push_back(to);
      }
  }
  chance.blocks = std::move(enteredFromCovered);
  for (uint32_t block : order) {
    chance.blocks[block] = std::min(chance.blocks[block], 1.0);
    auto [edge, end] = leaving(block);
    for (; edge != end; ++edge)
      if (const uint32_t to = (*edge)->to;
          distance[to] != kNowhere && distance[to] > distance[block])
        chance.blocks[to] += chance.blocks[block] / openSidesOf(**edge);
  }
  for (const FlowGraph::Edge *edge : fromUncovered)
    if (edge->side != FlowGraph::kNoSide)
      chance.sides[edge->side] = chance.blocks[edge->from] / openSidesOf(*edge);
  return chance;
}

double fittedSmoothing(const FlowGraph &graph, double rate) {
  double low = std::log(1e-9), high = std::log(1e3); // the sum grows with the smoothing
  for (int step = 0; step < 20; ++step) {
    const double middle = (low + high) / 2;
    (reachProbabilities(graph, std::exp(middle)).expectedSides(1) < rate ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

} // namespace fathom::estimate
