// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From which object a symbolic address was computed. An address term alone does not tell: with a
// 64-bit index `table[c - 32]` folds to (&table - 32) + c, and the constant may lie in a neighbour.
// So the instruction that adds an index to a pointer notes the pointer.
//
// A note is lost when terms are reclaimed; two computations that give one term share the newer
// note. Both only change how an access is explained and explored, never what it does.
#ifndef FATHOM_EXPLORE_INTERPRETER_POINTERORIGINS_H
#define FATHOM_EXPLORE_INTERPRETER_POINTERORIGINS_H

#include "expr/Expr.h"

#include <cstdint>
#include <unordered_map>

namespace fathom::explore {

class PointerOrigins {
public:
  /// `address` was computed from the concrete pointer `base`.
  void note(const expr::Expr *address, uint64_t base) {
    if (!address->isConst()) bases_[address] = base;
  }
  /// `address` was computed from the symbolic pointer `from`.
  void derive(const expr::Expr *address, const expr::Expr *from) {
    if (auto it = bases_.find(from); it != bases_.end()) note(address, uint64_t(it->second));
  }
  /// The pointer that the address was computed from; 0 when it is not known.
  uint64_t of(const expr::Expr *address) const {
    auto it = bases_.find(address);
    return it == bases_.end() ? 0 : it->second;
  }
  /// Before terms are reclaimed: the keys are pointers to them.
  void clear() { bases_.clear(); }

private:
  std::unordered_map<const expr::Expr *, uint64_t> bases_;
};

} // namespace fathom::explore
#endif
