// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the interpreter's floating-point operations mean on terms of 16, 32 or 64 bits, where that
// is more than one operation of expr. The concrete meanings are in InterpretFloat.cpp;
// test/explore/float-operations.c holds the two against each other and against the native program.
#ifndef FATHOM_EXPLORE_INTERPRETER_FLOATTERMS_H
#define FATHOM_EXPLORE_INTERPRETER_FLOATTERMS_H

#include "expr/ExprContext.h"
#include "program/Code.h"

namespace fathom::explore {

/// An fcmp with LLVM's number of the predicate (0 .. 15).
expr::ExprPtr floatCompareTerm(expr::ExprContext &ctx, unsigned predicate, expr::ExprPtr a,
                               expr::ExprPtr b);
/// Any operation of one operand.
expr::ExprPtr floatMath1Term(expr::ExprContext &ctx, program::FpMath op, expr::ExprPtr x);
/// Any operation of two operands.
expr::ExprPtr floatMath2Term(expr::ExprContext &ctx, program::FpMath op, expr::ExprPtr x,
                             expr::ExprPtr y);
/// Conversion to an integer of at most 64 bits as x86-64 does it, also where C leaves it undefined.
expr::ExprPtr floatToIntegerTerm(expr::ExprContext &ctx, expr::ExprPtr x, unsigned width,
                                 bool isSigned);
/// llvm.is.fpclass: the number is of one of the classes in the mask.
expr::ExprPtr floatClassTerm(expr::ExprContext &ctx, uint64_t mask, expr::ExprPtr x);

} // namespace fathom::explore
#endif
