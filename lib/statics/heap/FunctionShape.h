// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of a function's blocks, its loops, and which of its values are live where.
#ifndef FATHOM_STATICS_HEAP_FUNCTIONSHAPE_H
#define FATHOM_STATICS_HEAP_FUNCTIONSHAPE_H

#include "statics/front/Facts.h"

#include <map>
#include <vector>

namespace fathom::statics::heap {

class FunctionShape {
public:
  /// Cost: blocks times values, times the depth of the loops.
  FunctionShape(const Facts &facts, FunctionId function);

  /// Reachable blocks in reverse postorder.
  const std::vector<BlockId> &byOrder() const { return byOrder_; }
  /// The position there; kNone: it is not reachable.
  uint32_t order(BlockId block) const { return order_[index(block)]; }
  bool isHeader(BlockId block) const { return loops_.contains(block); }
  /// Is the block in the loop? REQUIRES: isHeader(header).
  bool isIn(BlockId header, BlockId block) const { return loops_.at(header)[index(block)]; }
  /// Values that are read at or after the block's start, behind its phis: counted from the
  /// function's first on, ascending.
  const std::vector<uint32_t> &live(BlockId block) const { return live_[index(block)]; }
  /// The same, of values that may be read somewhere in the block or after it.
  std::vector<uint32_t> liveWithin(BlockId block) const;
  /// The compiler makes one return of several: does each of them lead to this block?
  bool isBehindReturns(BlockId block) const;

private:
  void findOrder();
  void findLoops();
  void findLive();
  uint32_t index(BlockId block) const { return block - function_.firstBlock; }

  const Facts &facts_;
  const FunctionId id_;
  const Function &function_;
  std::vector<uint32_t> order_; ///< by block: its position in reverse postorder
  std::vector<BlockId> byOrder_;
  std::vector<std::vector<uint32_t>> live_;    ///< by block
  std::map<BlockId, std::vector<bool>> loops_; ///< by header: the blocks of the loop
};

} // namespace fathom::statics::heap
#endif
