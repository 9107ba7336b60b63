// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/solver: what translations of terms into other languages (circuits, Z3's terms)
// have in common, whatever they translate to.
#ifndef FATHOM_SOLVER_TRANSLATE_H
#define FATHOM_SOLVER_TRANSLATE_H

#include "expr/Expr.h"
#include "expr/Facts.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace fathom::solver {

// --- order
// ----------------------------------------------------------------------------------------

/// Calls `make` for `root` and the terms below it for which `isKnown` is false (it becomes true by
/// that), each after its operands, until it returns false; false then. Constants and arrays are not
/// made: of a read, the indices and values of the stores that it looks through are operands.
/// O(terms made and their operands).
template <class IsKnown, class Make>
bool makeBottomUp(expr::ExprPtr root, const IsKnown &isKnown, const Make &make) {
  std::vector<expr::ExprPtr> stack{root};
  while (!stack.empty()) {
    expr::ExprPtr e = stack.back();
    if (isKnown(e)) {
      stack.pop_back();
      continue;
    }
    const size_t before = stack.size();
    auto need = [&](expr::ExprPtr op) {
      if (!op->isArray() && !op->isConst() && !isKnown(op)) stack.push_back(op);
    };
    for (unsigned i = 0; i < e->numOps(); ++i) need(e->op(i));
    if (e->kind() == expr::Kind::Read)
      for (expr::ExprPtr a = e->op(0); a->kind() == expr::Kind::Store; a = a->op(0))
        need(a->op(1)), need(a->op(2));
    if (stack.size() != before) continue;
    stack.pop_back();
    if (!make(e)) return false;
  }
  return true;
}

// --- reads by an index that is not constant
// ----------------------------------------------------------------------------------------

/// Up to this many bytes of a symbolic array in reach of one index, a read is a tree of
/// multiplexers.
inline constexpr uint64_t kMaxMultiplexer = 4096;

/// The part of an array that an index can reach: [first, last].
struct Reach {
  uint64_t first, last;
  bool pastEnd; ///< it can also be past the array's end, where a read is 0
  bool isEmpty() const { return first > last; }
  /// REQUIRES !isEmpty().
  bool isWithin(uint64_t bytes) const { return last - first < bytes; }
};

inline Reach reachOf(expr::ExprPtr index, uint64_t sizeBytes) {
  const expr::Facts facts = expr::factsOf(index, /*depth=*/6);
  return {facts.min, std::min(facts.max, sizeBytes - 1), facts.max >= sizeBytes};
}

/// The part of the tree in which indices [first, first + leaves) agree in all bits from `level` on.
template <class Value, class Choose>
Value multiplexerBelow(unsigned level, uint64_t first, std::span<const Value> leaves,
                       const Choose &choose) {
  if (level == 0) return leaves[0];
  const uint64_t half = uint64_t(1) << --level;
  const uint64_t zeros = first & half ? 0 : half - (first & (half - 1)); // indices without the bit
  if (zeros == 0 || zeros >= leaves.size()) return multiplexerBelow(level, first, leaves, choose);
  const Value low = multiplexerBelow(level, first, leaves.first(zeros), choose);
  const Value high = multiplexerBelow(level, first + zeros, leaves.subspan(zeros), choose);
  return choose(level, high, low);
}

/// leaves[index - first] as a tree over the bits of an index in [first, first + leaves). Only bits
/// that can differ are looked at. `choose(bit, one, zero)` makes one choice; where both are the
/// same term it should return that, so that runs of equal bytes cost nothing. REQUIRES a leaf.
template <class Value, class Choose>
Value multiplexer(uint64_t first, const std::vector<Value> &leaves, const Choose &choose) {
  const uint64_t last = first + leaves.size() - 1;
  const auto level = static_cast<unsigned>(64 - std::countl_zero(first ^ last));
  return multiplexerBelow(level, first, std::span<const Value>(leaves), choose);
}

} // namespace fathom::solver
#endif
