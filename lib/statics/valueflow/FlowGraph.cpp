// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/valueflow/FlowGraph.h"

#include <algorithm>
#include <tuple>

namespace fathom::statics {

std::span<const FlowEdge> FlowGraph::labelled(std::span<const FlowEdge> row, uint32_t label) {
  if (row.size() <= 4) { // most rows
    size_t first = 0;
    while (first < row.size() && row[first].label < label) first++;
    size_t last = first;
    while (last < row.size() && row[last].label == label) last++;
    return row.subspan(first, last - first);
  }
  const auto first =
      std::lower_bound(row.begin(), row.end(), label,
                       [](const FlowEdge &e, uint32_t wanted) { return e.label < wanted; });
  const auto last = std::upper_bound(
      first, row.end(), label, [](uint32_t wanted, const FlowEdge &e) { return wanted < e.label; });
  return {first, last};
}

FlowGraph::FlowGraph(uint32_t nodes, std::vector<Raw> raw) {
  for (int side = 0; side < 2; side++) {
    auto key = [&](const Raw &e) { return side == 0 ? e.from : e.to; };
    auto other = [&](const Raw &e) { return side == 0 ? e.to : e.from; };
    std::sort(raw.begin(), raw.end(), [&](const Raw &a, const Raw &b) {
      return std::tuple(key(a), a.label, other(a)) < std::tuple(key(b), b.label, other(b));
    });
    if (side == 0)
      raw.erase(std::unique(raw.begin(), raw.end(),
                            [](const Raw &a, const Raw &b) {
                              return a.from == b.from && a.to == b.to && a.label == b.label;
                            }),
                raw.end());
    first_[side].assign(nodes + 1, 0);
    edges_[side].reserve(raw.size());
    for (const Raw &e : raw) {
      first_[side][key(e) + 1]++;
      edges_[side].push_back({other(e), e.label});
    }
    for (uint32_t n = 0; n < nodes; n++) first_[side][n + 1] += first_[side][n];
  }
}

} // namespace fathom::statics
