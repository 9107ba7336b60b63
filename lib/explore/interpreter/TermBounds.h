// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cheap bounds of a term from its shape alone: enough to see that `c - '0'` of a byte cannot
// overflow an int without asking a solver.
#ifndef FATHOM_EXPLORE_INTERPRETER_TERMBOUNDS_H
#define FATHOM_EXPLORE_INTERPRETER_TERMBOUNDS_H

#include "expr/Expr.h"

namespace fathom::explore {

/// Bits that the value of e needs as a two's complement number, at most e->width(): the value is in
/// [-2^(n-1), 2^(n-1)). Guarantee: over-approximates. Cost: bounded by a depth of 12.
unsigned signedBits(expr::ExprPtr e);

/// An upper bound of e as an unsigned number; all ones of its width (<= 64) when nothing better is
/// known. Guarantee: over-approximates.
uint64_t unsignedMax(expr::ExprPtr e);

} // namespace fathom::explore
#endif
