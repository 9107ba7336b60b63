// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many basic blocks lie between two places.
#ifndef FATHOM_STATICS_VALUEFLOW_DISTANCES_H
#define FATHOM_STATICS_VALUEFLOW_DISTANCES_H

#include "statics/pointers/PointsTo.h"

namespace fathom::statics {

/// Edges of the program's control flow: jumps, from calls into callees, and from returns back.
class Distances {
public:
  /// Cost: O(blocks + edges of the call graph).
  explicit Distances(const PointsTo &pts);

  /// For each block the least number of edges to `target`; kNone: it cannot get there.
  /// Guarantee: a lower bound, for a return may go to any caller.  Cost: O(blocks + edges).
  std::vector<uint32_t> to(BlockId target) const;

private:
  std::vector<std::vector<BlockId>> previous_;
};

} // namespace fathom::statics
#endif
