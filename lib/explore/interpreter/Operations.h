// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the operations mean on terms.
#ifndef FATHOM_EXPLORE_INTERPRETER_OPERATIONS_H
#define FATHOM_EXPLORE_INTERPRETER_OPERATIONS_H

#include "explore/interpreter/Registers.h"

namespace fathom::explore {

class Operations {
public:
  Operations(Running &running, Registers &registers)
      : run_(running), ctx_(running.ctx), registers_(registers) {}

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

  /// Conversions, selections and addresses: like the builders, and noted for policies that watch.
  ExprPtr converted(expr::Kind kind, ExprPtr e,
                    unsigned width); ///< ZExt, SExt, Extract (truncated)
  ExprPtr selected(ExprPtr condition, ExprPtr a, ExprPtr b);
  ExprPtr address(ExprPtr base, uint64_t displacement, ExprPtr index, uint64_t scale);
  ExprPtr combined(expr::Kind kind, ExprPtr a, ExprPtr b);

private:
  void noteCompare(program::Predicate p, ExprPtr a, ExprPtr b, ExprPtr result);

  Running &run_;
  expr::ExprContext &ctx_;
  Registers &registers_;
};

} // namespace fathom::explore
#endif
