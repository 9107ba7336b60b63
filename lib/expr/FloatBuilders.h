// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders of floating-point operations: operands are bit patterns of equal width, 16, 32 or 64
// (FloatFold.h).
#ifndef FATHOM_EXPR_FLOATBUILDERS_H
#define FATHOM_EXPR_FLOATBUILDERS_H

#include "expr/ExprContext.h"

namespace fathom::expr {

inline ExprPtr fadd(ExprContext &ctx, ExprPtr a, ExprPtr b) { return ctx.binary(Kind::FAdd, a, b); }
inline ExprPtr fsub(ExprContext &ctx, ExprPtr a, ExprPtr b) { return ctx.binary(Kind::FSub, a, b); }
inline ExprPtr fmul(ExprContext &ctx, ExprPtr a, ExprPtr b) { return ctx.binary(Kind::FMul, a, b); }
inline ExprPtr fdiv(ExprContext &ctx, ExprPtr a, ExprPtr b) { return ctx.binary(Kind::FDiv, a, b); }
/// 0 and -0 are equal.
inline ExprPtr feq(ExprContext &ctx, ExprPtr a, ExprPtr b) { return ctx.binary(Kind::FEq, a, b); }
inline ExprPtr flt(ExprContext &ctx, ExprPtr a, ExprPtr b) { return ctx.binary(Kind::FLt, a, b); }
inline ExprPtr fle(ExprContext &ctx, ExprPtr a, ExprPtr b) { return ctx.binary(Kind::FLe, a, b); }
ExprPtr fsqrt(ExprContext &ctx, ExprPtr e);
ExprPtr fround(ExprContext &ctx, Rounding rounding, ExprPtr e); ///< To an integral value.
/// a * b + c rounded once; halves are rounded twice, to float first, as compilers do it.
ExprPtr ffma(ExprContext &ctx, ExprPtr a, ExprPtr b, ExprPtr c);
ExprPtr fconvert(ExprContext &ctx, ExprPtr e, unsigned width); ///< The same width gives e.
ExprPtr stof(ExprContext &ctx, ExprPtr e, unsigned width);     ///< Of an integer of 1 .. 64 bits.
ExprPtr utof(ExprContext &ctx, ExprPtr e, unsigned width);
ExprPtr ftos(ExprContext &ctx, ExprPtr e, unsigned width); ///< To an integer of 1 .. 64 bits.
ExprPtr ftou(ExprContext &ctx, ExprPtr e, unsigned width);
// ... made of operations on bits
ExprPtr fneg(ExprContext &ctx, ExprPtr e);
ExprPtr fabs(ExprContext &ctx, ExprPtr e);
ExprPtr fisNaN(ExprContext &ctx, ExprPtr e);

} // namespace fathom::expr
#endif
