// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons that each round of a loop makes before the next one begins: they bound the variable
// that the loop steps. Behind `while (i < n) i++`, i is no larger than n.
#ifndef FATHOM_STATICS_HEAP_LOOPGUARDS_H
#define FATHOM_STATICS_HEAP_LOOPGUARDS_H

#include "statics/heap/FunctionShape.h"

#include <functional>
#include <optional>

namespace fathom::statics::heap {

struct LoopGuard {
  ValueId value = kNone; ///< the variable, with constants added, maybe widened
  ValueId bound = kNone;
  Predicate predicate = Predicate::Other; ///< of value and bound: it holds where the loop goes on
  bool isSigned = false;
  uint8_t bits = 64; ///< of value and bound
  int64_t added = 0; ///< to the variable since the round began, where it is compared
};

/// What is added to the loop's variable in a value; nullopt: it is not computed from it alone.
using AddedIn = std::function<std::optional<int64_t>(ValueId)>;

/// Cost: comparisons of the variable in the loop, times the loop's edges.
std::vector<LoopGuard> loopGuardsOf(const Facts &facts, const FunctionShape &shape, BlockId header,
                                    const AddedIn &addedIn);

/// The same of one value: constants that are added to it, through casts that make it wider and
/// moves of pointers. `isIt`: is it the value?
std::optional<int64_t> addedTo(const Facts &facts, ValueId value,
                               const std::function<bool(ValueId)> &isIt);

/// Does every way from the loop's header round to it take this edge? What a constant of a phi
/// excludes is no way: in `a && b` as a condition, a decides.
/// Cost: linear in the edges of the loop.
bool isOnEveryRound(const Facts &facts, const FunctionShape &shape, BlockId header, BlockId from,
                    BlockId to);

} // namespace fathom::statics::heap
#endif
