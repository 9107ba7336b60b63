// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/valueflow/Distances.h"

#include <algorithm>

namespace fathom::statics {

Distances::Distances(const PointsTo &pts) : previous_(pts.facts.blocks.size()) {
  const Facts &facts = pts.facts;
  std::vector<std::vector<BlockId>> returns(facts.functions.size());
  for (BlockId b = 0; b < facts.blocks.size(); b++) {
    const Block &block = facts.blocks[b];
    for (const BlockId next : block.next) previous_[next].push_back(b);
    if (const StatementId last = block.last();
        last != kNone && facts.statements[last].kind == StatementKind::Return)
      returns[block.function].push_back(b);
  }
  for (uint32_t c = 0; c < facts.calls.size(); c++) {
    const BlockId caller = facts.statements[facts.calls[c].statement].block;
    for (const FunctionId callee : pts.callees(c)) {
      const Function &f = facts.functions[callee];
      if (f.numBlocks == 0 || f.summary) continue;
      previous_[f.firstBlock].push_back(caller);
      previous_[caller].insert(previous_[caller].end(), returns[callee].begin(),
                               returns[callee].end());
    }
  }
  for (std::vector<BlockId> &blocks : previous_) {
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  }
}

std::vector<uint32_t> Distances::to(BlockId target) const {
  std::vector<uint32_t> distance(previous_.size(), kNone);
  std::vector<BlockId> queue{target};
  distance[target] = 0;
  for (size_t next = 0; next < queue.size(); next++)
    for (const BlockId from : previous_[queue[next]])
      if (distance[from] == kNone) {
        distance[from] = distance[queue[next]] + 1;
        queue.push_back(from);
      }
  return distance;
}

} // namespace fathom::statics
