// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
  auto fromCovered = [&](uint32_t block, double ways) {
    auto c = static_cast<double>(std::max<uint64_t>(1, graph.blocks[block].units));
    return smoothing / (c + smoothing * ways) / n;
  };

  auto shares = [&](const FlowGraph::Edge &edge) {
    return edge.side == FlowGraph::kNoSide ? 1 : open[edge.from];
  };

  std::vector<double> fixed(graph.blocks.size(), 0);
  std::vector<const FlowGraph::Edge *> passing;
  for (const FlowGraph::Edge &edge : graph.edges) {
    const bool isSide = edge.side != FlowGraph::kNoSide;
    if (isSide && !isOpen(graph.sides[edge.side])) continue;
    if (!graph.blocks[edge.from].units && !graph.blocks[edge.from].isCovered) {
      if (isOpen(graph.blocks[edge.from])) passing.push_back(&edge);
      continue;
    }
    const double p = fromCovered(edge.from, isSide ? open[edge.from] : 1);
    if (isSide) chance.sides[edge.side] = p;
    if (isOpen(graph.blocks[edge.to])) fixed[edge.to] += p;
  }
  // Away from what is covered only: ways that come back, in loops and recursion, add nothing.
  constexpr uint32_t kNowhere = ~0u;
  std::vector<uint32_t> distance(graph.blocks.size(), kNowhere), order;
  for (uint32_t block = 0; block < fixed.size(); ++block)
    if (fixed[block] > 0) distance[block] = 0, order.push_back(block);
  std::sort(passing.begin(), passing.end(), [](const auto *a, const auto *b) {
    return std::pair(a->from, a) < std::pair(b->from, b); // pointers into one vector: by number
  });
  auto leaving = [&](uint32_t block) {
    return std::equal_range(passing.begin(), passing.end(), block, ByFrom());
  };
  for (size_t i = 0; i < order.size(); ++i) {
    auto [edge, end] = leaving(order[i]);
    for (; edge != end; ++edge)
      if (const uint32_t to = (*edge)->to; distance[to] == kNowhere && isOpen(graph.blocks[to])) {
        distance[to] = distance[order[i]] + 1;
        order.push_back(to);
      }
  }
  chance.blocks = std::move(fixed);
  for (uint32_t block : order) {
    chance.blocks[block] = std::min(chance.blocks[block], 1.0);
    auto [edge, end] = leaving(block);
    for (; edge != end; ++edge)
      if (const uint32_t to = (*edge)->to;
          distance[to] != kNowhere && distance[to] > distance[block])
        chance.blocks[to] += chance.blocks[block] / shares(**edge);
  }
  for (const FlowGraph::Edge *edge : passing)
    if (edge->side != FlowGraph::kNoSide)
      chance.sides[edge->side] = chance.blocks[edge->from] / shares(*edge);
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
