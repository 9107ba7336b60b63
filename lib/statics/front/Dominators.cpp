// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/Dominators.h"

#include <algorithm>

namespace fathom::statics {

Dominators::Dominators(const Facts &facts, const Function &function)
    : idom(function.numBlocks, kNone), previous(function.numBlocks), children(function.numBlocks),
      frontier(function.numBlocks) {
  const uint32_t count = function.numBlocks;
  if (count == 0) return;
  auto next = [&](uint32_t block) -> const std::vector<BlockId> & {
    return facts.blocks[function.firstBlock + block].next;
  };
  std::vector<uint32_t> number(count, kNone); // in postorder
  std::vector<bool> seen(count);
  std::vector<std::pair<uint32_t, size_t>> open{{0, 0}};
  seen[0] = true;
  while (!open.empty()) {
    const uint32_t block = open.back().first;
    if (open.back().second < next(block).size()) {
      const uint32_t to = next(block)[open.back().second++] - function.firstBlock;
      previous[to].push_back(block);
      if (seen[to]) continue;
      seen[to] = true;
      open.emplace_back(to, 0);
      continue;
    }
    number[block] = static_cast<uint32_t>(order.size());
    order.push_back(block);
    open.pop_back();
  }
  std::reverse(order.begin(), order.end());

  std::vector<uint32_t> dominator(count, kNone);
  dominator[0] = 0;
  auto common = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = dominator[a];
      while (number[b] < number[a]) b = dominator[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t block : order) {
      if (block == 0) continue;
      uint32_t found = kNone;
      for (const uint32_t from : previous[block])
        if (dominator[from] != kNone) found = found == kNone ? from : common(found, from);
      if (found == dominator[block]) continue;
      dominator[block] = found;
      changed = true;
    }
  }
  for (const uint32_t block : order) {
    if (block != 0) {
      idom[block] = dominator[block];
      children[dominator[block]].push_back(block);
    }
    if (previous[block].size() + (block == 0) < 2) continue;
    for (uint32_t at : previous[block]) {
      // The entry dominates itself only from outside: a loop back to it has it in its frontier.
      while (at != dominator[block] || block == 0) {
        if (frontier[at].empty() || frontier[at].back() != block) frontier[at].push_back(block);
        if (at == 0) break;
        at = dominator[at];
      }
    }
  }
}

} // namespace fathom::statics
