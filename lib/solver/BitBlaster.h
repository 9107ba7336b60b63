// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms as circuits over the bits of the input. A term is translated once, however many queries it
// occurs in.
#ifndef FATHOM_SOLVER_BITBLASTER_H
#define FATHOM_SOLVER_BITBLASTER_H

#include "solver/Circuit.h"
#include "solver/Support.h"

#include "expr/Expr.h"

#include <llvm/ADT/DenseMap.h>

namespace fathom::solver {

class BitBlaster {
public:
  const Circuit &circuit() const { return circuit_; }
  void clear();

  /// Whether there is a circuit for the term: no floating point, and no array of which more than
  /// 4,096 bytes are in reach of one index. O(size) the first time.
  bool canEncode(expr::ExprPtr e);
  /// The wire of a term of width 1, which is supported. Null: with it, the circuit would have more
  /// than maxGates gates; it has by then as many, and those of one operation.
  const Wire *wireOf(expr::ExprPtr e, size_t maxGates);
  /// The same for a term that was translated before; null for others.
  const Wire *find(expr::ExprPtr e) const;
  /// The eight inputs of a byte of the input; null when no term read it so far.
  const Wire *byteOf(Cell cell) const;

private:
  Word translate(expr::ExprPtr e);
  Word translateRead(expr::ExprPtr e);
  Word readBase(expr::ExprPtr array, expr::ExprPtr index);
  Word quotientOrRemainder(expr::ExprPtr e);
  Word byteVariable(Cell cell);
  Word get(expr::ExprPtr e) const;

  Circuit circuit_;
  llvm::DenseMap<expr::ExprPtr, Word> words_;     // looked up only
  llvm::DenseMap<expr::ExprPtr, bool> canEncode_; // looked up only
  llvm::DenseMap<uint64_t, Word> bytes_;          // by Cell::key
};

} // namespace fathom::solver
#endif
