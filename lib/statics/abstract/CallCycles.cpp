// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/CallCycles.h"

#include <algorithm>

namespace fathom::statics::abstract {

/// By Tarjan's algorithm without recursion.
CallCycles cyclesOf(const std::vector<std::vector<FunctionId>> &callees) {
  const auto count = FunctionId(callees.size());
  CallCycles out;
  out.recursive.resize(unsigned(count));
  std::vector<uint32_t> index(count, kNoId), low(count, 0);
  std::vector<bool> isOpen(count, false);
  std::vector<FunctionId> open;
  struct Visit {
    FunctionId function;
    size_t next = 0;
  };
  uint32_t numbered = 0;
  for (FunctionId start = 0; start < count; ++start) {
    if (index[start] != kNoId) continue;
    std::vector<Visit> path = {{start}};
    while (!path.empty()) {
      Visit &at = path.back();
      const FunctionId f = at.function;
      if (at.next == 0) {
        index[f] = low[f] = numbered++;
        open.push_back(f);
        isOpen[f] = true;
      }
      if (at.next < callees[f].size()) {
        const FunctionId callee = callees[f][at.next++];
        if (callee == f) out.recursive.set(f);
        if (index[callee] == kNoId)
          path.push_back({callee});
        else if (isOpen[callee])
          low[f] = std::min(low[f], index[callee]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().function] = std::min(low[path.back().function], low[f]);
      if (low[f] != index[f]) continue;
      std::vector<FunctionId> component;
      do {
        component.push_back(open.back());
        isOpen[open.back()] = false;
        open.pop_back();
      } while (component.back() != f);
      if (component.size() > 1)
        for (const FunctionId member : component) out.recursive.set(member);
      out.components.push_back(std::move(component));
    }
  }
  return out;
}

} // namespace fathom::statics::abstract
