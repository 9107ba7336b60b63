// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounded quantifiers: forall i. 1 <= i <= min(count, range) -> body(i). The range is a number and
// belongs to the binder, so each formula is decidable by expansion, the values that i can have are
// known to Facts, and evaluation is exact.
//
// There is one variable: Bound(range). A Forall binds those of its range that no Forall between
// binds, and it is closed: no body depends on the number of a Forall further out. So nothing can be
// captured, formulas that differ in the names of variables are the same node, and a substitution
// for the variable stops at closed terms.
//
// Source: [merging23] Def. 3.6, the quantified clauses of merged path conditions.
#ifndef FATHOM_EXPR_QUANTIFIERS_H
#define FATHOM_EXPR_QUANTIFIERS_H

#include "expr/ExprContext.h"

namespace fathom::expr {

/// A Forall whose count is a number: the conjunction of its bodies. Other terms stay as they are.
/// O(count * body).
ExprPtr countedOut(ExprContext &context, ExprPtr e);
/// The body of a Forall for one number (64 bits, closed), whether it is counted or not. O(body).
ExprPtr instance(ExprContext &context, ExprPtr forall, ExprPtr number);
/// The same of a body whose Forall has this range.
ExprPtr instance(ExprContext &context, ExprPtr body, uint64_t range, ExprPtr number);
/// Without quantifiers: every Forall below becomes a conjunction. O(term * ranges).
ExprPtr expand(ExprContext &context, ExprPtr e);

} // namespace fathom::expr
#endif
