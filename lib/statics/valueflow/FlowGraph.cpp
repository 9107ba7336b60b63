// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/valueflow/FlowGraph.h"

#include <algorithm>
#include <tuple>

namespace fathom::statics {

FlowGraph::FlowGraph(uint32_t nodes, std::vector<Raw> raw) {
  for (int side = 0; side < 2; side++) {
    auto key = [&](const Raw &e) { return side == 0 ? e.from : e.to; };
    auto other = [&](const Raw &e) { return side == 0 ? e.to : e.from; };
    std::sort(raw.begin(), raw.end(), [&](const Raw &a, const Raw &b) {
      return std::tuple(key(a), other(a), a.label) < std::tuple(key(b), other(b), b.label);
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
