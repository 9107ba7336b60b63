// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of the program that are treated as external although terms know what they mean
// (--external-ops), because a solver that reasons about them takes too long: they are executed
// instead, and values for them are searched for.
#ifndef FATHOM_EXPLORE_INTERPRETER_DEFERREDOPERATIONS_H
#define FATHOM_EXPLORE_INTERPRETER_DEFERREDOPERATIONS_H

#include "expr/ExprContext.h"

namespace fathom::explore {

struct DeferredOperations {
  bool floats = false;    ///< arithmetic and conversions; comparisons and signs are bits
  bool nonlinear = false; ///< products, quotients, remainders and shifts by what is not constant

  bool any() const { return floats || nonlinear; }
  /// e, or its operation applied to its operands as an external one, if it is one of those. Only
  /// the operation at the top: values become terms one operation at a time.
  expr::ExprPtr term(expr::ExprContext &context, expr::ExprPtr e) const;
};

} // namespace fathom::explore
#endif
