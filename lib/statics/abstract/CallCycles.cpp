// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/CallCycles.h"

#include "support/Components.h"

namespace fathom::statics::abstract {

CallCycles cyclesOf(const std::vector<std::vector<FunctionId>> &callees) {
  CallCycles out;
  out.recursive.resize(unsigned(callees.size()));
  for (FunctionId f = 0; f < callees.size(); ++f)
    if (std::ranges::find(callees[f], f) != callees[f].end()) out.recursive.set(f);
  forEachComponent(
      uint32_t(callees.size()),
      [&](FunctionId f, size_t i) {
        return i < callees[f].size() ? std::optional(callees[f][i]) : std::nullopt;
      },
      [&](std::span<const FunctionId> component) {
        if (component.size() > 1)
          for (const FunctionId member : component) out.recursive.set(member);
        out.components.emplace_back(component.rbegin(), component.rend());
      });
  return out;
}

} // namespace fathom::statics::abstract
