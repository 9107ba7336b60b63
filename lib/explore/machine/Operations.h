// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the operations mean on terms.
#ifndef FATHOM_EXPLORE_MACHINE_OPERATIONS_H
#define FATHOM_EXPLORE_MACHINE_OPERATIONS_H

#include "explore/machine/Registers.h"

namespace fathom::explore {

class Operations {
public:
  Operations(expr::ExprContext &context, Registers &registers)
      : ctx_(context), registers_(registers) {}

  /// Slot handling for symbolic operands (see Interpret*.cpp).
  void symBinary(const Inst *ip, uint64_t *r, ExprPtr *s, unsigned width, expr::Kind kind,
                 bool immediate);
  void symCompare(const Inst *ip, uint64_t *r, ExprPtr *s, program::Predicate p, bool immediate);
  /// The result of a symbolic operation of the "bit tricks" family.
  ExprPtr bitTerm(Op op, ExprPtr a, ExprPtr b, ExprPtr c, unsigned width);
  ExprPtr compareTerm(program::Predicate p, ExprPtr a, ExprPtr b);
  /// True when the operation wraps: the condition of signed-overflow for Add, Sub, Mul.
  ExprPtr overflowTerm(expr::Kind kind, ExprPtr a, ExprPtr b, bool isSigned);
  bool mayOverflow(expr::Kind kind, ExprPtr a,
                   ExprPtr b); ///< cheap test: false = certainly not (signed)

private:
  expr::ExprContext &ctx_;
  Registers &registers_;
};

} // namespace fathom::explore
#endif
