// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A path condition with an input that satisfies it, as an SMT-LIB2 script for other solvers.
#ifndef FATHOM_EXPR_SMTLIBSCRIPT_H
#define FATHOM_EXPR_SMTLIBSCRIPT_H

#include "expr/ExprContext.h"
#include "expr/Model.h"

#include <span>
#include <string>

namespace fathom::expr {

/// Two questions: can the constraints hold, and do they hold for these symbols' bytes under
/// `model`? Then the bytes, by get-value. A symbol is an array from 64-bit indices to bytes.
/// Symbols that occur in constraints and not in `symbols` (memory that was never written) are left
/// open in both. External operations become uninterpreted functions. constraints: of width 1, in
/// any number. Floating-point operations need Z3 (fp.to_ieee_bv).
std::string smtLibScript(std::span<const ExprPtr> constraints, std::span<const ExprPtr> symbols,
                         const Model &model);

} // namespace fathom::expr
#endif
