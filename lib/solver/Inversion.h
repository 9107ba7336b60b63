// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/solver: changes an assignment so that a term gets a value that is wanted, by going
// from the term down to the bytes of the input. Of an operation with two operands one keeps the
// value that it has, and the other gets what makes the result right; where several ways lead down,
// one is drawn.
//
//   byte * 3 + 1 == 250   ->   byte * 3 becomes 249   ->   byte becomes 83
//
// The result is a guess: a byte may be needed for several values. The caller evaluates it.
//
// Source: [niemetz] A. Niemetz, M. Preiner, A. Biere, Precise and complete propagation based local
// search for satisfiability modulo theories, CAV 2016 (inverse and consistent values; here without
// their completeness). It does for constraints what input-to-state correspondence does for programs
// [redqueen], whose encodings it finds in the term instead of by trial.
#ifndef FATHOM_SOLVER_INVERSION_H
#define FATHOM_SOLVER_INVERSION_H

#include "expr/Model.h"
#include "expr/RowLayout.h"
#include "support/Rng.h"

#include <llvm/ADT/APInt.h>

namespace fathom::solver {

class Inversion {
public:
  using ExprPtr = expr::ExprPtr;
  using APInt = llvm::APInt;

  Inversion(const expr::RowLayout &layout, expr::Evaluator &evaluator, Rng &rng)
      : layout_(layout), evaluator_(evaluator), rng_(rng) {}

  /// Changes `row`, which is the assignment that the evaluator has, so that e may become `target`
  /// (of e's width). False: no way was found; the row may be changed in part.
  bool make(ExprPtr e, const APInt &target, uint8_t *row);

private:
  bool go(ExprPtr e, const APInt &target, unsigned depth);
  bool binary(ExprPtr e, const APInt &target, unsigned depth);
  bool boolean(ExprPtr e, bool target, unsigned depth);
  bool compare(ExprPtr e, bool target, unsigned depth);
  bool floating(ExprPtr e, const APInt &target, unsigned depth);
  bool read(ExprPtr e, uint64_t target, unsigned depth);
  APInt current(ExprPtr e);
  bool movable(ExprPtr e) const { return e->has(expr::kHasSymbol); }
  /// Which operand is to change: one that depends on the input.
  unsigned side(ExprPtr e);
  bool put(ExprPtr symbol, uint64_t index, uint64_t value);
  APInt randomBits(unsigned width);

  const expr::RowLayout &layout_;
  expr::Evaluator &evaluator_;
  Rng &rng_;
  uint8_t *row_ = nullptr;
  unsigned steps_ = 0; ///< of this make
};

} // namespace fathom::solver
#endif
