// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/ReachProbability.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fathom::estimate {

namespace {

bool isOpen(const FlowGraph::Element &element) { return !element.units && !element.isUnreachable && !element.isCovered; }

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

  // What covered blocks lead to does not change; the rest is passed on until it settles.
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
  // In the order of blocks, which is mostly that of the source: few rounds.
  std::sort(passing.begin(), passing.end(), [](const auto *a, const auto *b) {
    return std::pair(a->to, a) < std::pair(b->to, b); // pointers into one vector: by number
  });
  auto limit = [](double p) { return std::min(p, 1.0); };
  for (size_t block = 0; block < fixed.size(); ++block) chance.blocks[block] = limit(fixed[block]);
  for (int round = 0; round < 500; ++round) {
    double change = 0;
    for (size_t i = 0; i < passing.size();) {
      const uint32_t to = passing[i]->to;
      double sum = fixed[to];
      for (; i < passing.size() && passing[i]->to == to; ++i) {
        const FlowGraph::Edge &edge = *passing[i];
        double p = chance.blocks[edge.from];
        if (edge.side != FlowGraph::kNoSide) p /= open[edge.from];
        sum += p;
      }
      if (!isOpen(graph.blocks[to])) continue;
      change = std::max(change, std::fabs(limit(sum) - chance.blocks[to]));
      chance.blocks[to] = limit(sum);
    }
    if (change <= 1e-9) break;
  }
  for (const FlowGraph::Edge *edge : passing)
    if (edge->side != FlowGraph::kNoSide)
      chance.sides[edge->side] = chance.blocks[edge->from] / open[edge->from];
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
