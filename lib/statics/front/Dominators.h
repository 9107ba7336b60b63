// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dominators and dominance frontiers of a function's blocks [cooper-dominance].
#ifndef FATHOM_STATICS_FRONT_DOMINATORS_H
#define FATHOM_STATICS_FRONT_DOMINATORS_H

#include "statics/front/Facts.h"

namespace fathom::statics {

/// Blocks are counted from the function's first, which is 0. Blocks that nothing leads to have no
/// dominator and are in no list. Cost: O(blocks + edges) for the usual graphs.
struct Dominators {
  explicit Dominators(const Facts &facts, const Function &function);

  std::vector<uint32_t> order;                 ///< reverse postorder
  std::vector<uint32_t> idom;                  ///< kNone: the entry, and what is not reached
  std::vector<std::vector<uint32_t>> previous; ///< reached predecessors
  std::vector<std::vector<uint32_t>> children; ///< in the dominator tree
  std::vector<std::vector<uint32_t>> frontier;
  bool isReached(uint32_t block) const { return block == 0 || idom[block] != kNone; }
  /// A block dominates itself. Cost: O(depth of the dominator tree).
  bool dominates(uint32_t above, uint32_t block) const {
    while (block != above && block != kNone) block = idom[block];
    return block == above;
  }
};

} // namespace fathom::statics
#endif
