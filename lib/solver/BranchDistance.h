// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branch distances: how far an assignment is from satisfying a constraint, as a term. What
// evaluates terms (the Evaluator, 256 lanes at a time, machine code) evaluates distances too.
//
//   x == y   the difference, either way round       x <  y   x - y + 1        a and b   sum
//   x != y   1                                      x <= y   x - y            a or b    the smaller
//
// where these do not hold, and 0 where they do. Floating-point numbers are compared as their places
// in the order of all numbers; words of more than 64 bits piece by piece.
//
// Source: [korel] B. Korel, Automated software test data generation, IEEE TSE 16(8), 1990; the sum
// and the minimum: [tracey] N. Tracey et al., ASE 1998.
#ifndef FATHOM_SOLVER_BRANCHDISTANCE_H
#define FATHOM_SOLVER_BRANCHDISTANCE_H

#include "expr/ExprContext.h"

namespace fathom::solver {

/// A term of 64 bits over the same bytes: 0 exactly where `constraint` (width 1) is true.
/// Cost: O(size of its Boolean part).
expr::ExprPtr branchDistance(expr::ExprContext &context, expr::ExprPtr constraint);

} // namespace fathom::solver
#endif
