// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strongly connected components of a graph, by Tarjan's algorithm without recursion.
#ifndef FATHOM_SUPPORT_COMPONENTS_H
#define FATHOM_SUPPORT_COMPONENTS_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fathom {

/// \param count  nodes: 0 to count - 1.
/// \param next   next(node, i): its i-th successor, or nullopt. Asked once for each i.
/// \param found  found(std::span<const uint32_t>): the nodes of a component, first the one that was
///               visited first. Successors' components come before those that lead to them.
/// Cost: linear.
template <typename Next, typename Found>
void forEachComponent(uint32_t count, const Next &next, const Found &found) {
  std::vector<uint32_t> number(count, 0), low(count, 0); // 0: not visited
  std::vector<bool> isOpen(count, false);
  std::vector<uint32_t> open;
  struct Visit {
    uint32_t node;
    size_t next;
  };
  std::vector<Visit> path;
  uint32_t numbered = 0;
  const auto visit = [&](uint32_t node) {
    number[node] = low[node] = ++numbered;
    open.push_back(node);
    isOpen[node] = true;
    path.push_back({node, 0});
  };
  for (uint32_t start = 0; start < count; start++) {
    if (number[start] != 0) continue;
    visit(start);
    while (!path.empty()) {
      const uint32_t node = path.back().node;
      if (const std::optional<uint32_t> to = next(node, path.back().next)) {
        path.back().next++;
        if (number[*to] == 0)
          visit(*to);
        else if (isOpen[*to])
          low[node] = std::min(low[node], number[*to]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[node]);
      if (low[node] != number[node]) continue;
      size_t first = open.size();
      do {
        isOpen[open[--first]] = false;
      } while (open[first] != node);
      found(std::span<const uint32_t>(open).subspan(first));
      open.resize(first);
    }
  }
}

} // namespace fathom
#endif
