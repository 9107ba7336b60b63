// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is cheaply known about the value of a term: bits that are always 0 or always 1, and an
// unsigned interval. `combineFacts` is the transfer function of one operation; the builders use it
// to a small depth, and the solver's range stage over whole terms with the domains of input bytes
// as leaves.
//
// Guarantee: over-approximates the set of values. Terms wider than 64 bits have no facts.
#ifndef FATHOM_EXPR_FACTS_H
#define FATHOM_EXPR_FACTS_H

#include "expr/Expr.h"
#include "expr/Fold.h"

#include <optional>

namespace fathom::expr {

struct Facts {
  uint64_t zeros = 0; ///< Bits that are 0 in every value (bits from the width up included).
  uint64_t ones = 0;  ///< Bits that are 1 in every value.
  uint64_t min = 0;   ///< Unsigned, inclusive.
  uint64_t max = ~uint64_t(0);

  static Facts any(unsigned width) { return {~lowMask(width), 0, 0, lowMask(width)}; }
  static Facts exactly(uint64_t v) { return {~v, v, v, v}; }
  static Facts between(uint64_t min, uint64_t max, unsigned width);
  bool isExact() const { return min == max; }
  /// False only when no value satisfies the facts (the constraints they were drawn from contradict
  /// each other).
  bool possible() const { return min <= max && !(zeros & ones); }
  bool admits(uint64_t v) const {
    return v >= min && v <= max && !(v & zeros) && (v & ones) == ones;
  }
  /// Lets bits and interval sharpen each other.
  void tighten();
};

/// Facts of `e` from those of its operands (`operands[i]` belongs to e->op(i); ignored for array
/// operands). e->width() <= 64; an operand wider than 64 bits is Facts of 64 bits that are not
/// looked at.
Facts combineFacts(ExprPtr e, const Facts *operands);

/// Facts by looking at most `depth` operations deep. Any width (nothing is known above 64 bits).
Facts factsOf(ExprPtr e, unsigned depth = 4);

/// The result of a comparison of two terms of `width` bits; nullopt: the facts do not decide it.
std::optional<bool> decideCompare(Kind kind, const Facts &a, const Facts &b, unsigned width);

} // namespace fathom::expr
#endif
