// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The builders of floating-point operations. All go through floatTerm, which follows the pattern of
// Builders.cpp. Arithmetic is not commutative here: of two NaNs the first one counts.
#include "expr/FloatBuilders.h"

#include "expr/NodeTable.h"
#include "expr/Rules.h"

namespace fathom::expr {

ExprPtr ExprContext::floatTerm(const FloatOperation &o, ExprPtr a, ExprPtr b, ExprPtr c) {
  assert((o.kind == Kind::SToF || o.kind == Kind::UToF ? a->width() >= 1 && a->width() <= 64
                                                       : isFloatWidth(a->width())) &&
         "no such floating-point operand");
  assert((!b || b->width() == a->width()) && (!c || c->width() == a->width()) &&
         "operands differ in width");
  if (a->isConst() && (!b || b->isConst()) && (!c || c->isConst()))
    return constant(foldFloat(o, a->value(), b ? b->value() : 0, c ? c->value() : 0), o.width);
  if (o.kind == Kind::FEq && !inOrder(a, b)) std::swap(a, b);
  if (options_.simplify) {
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteFloat(*this, o, a, b)) return simpler;
  }
  const uint64_t rounding = o.kind == Kind::FRound ? static_cast<uint64_t>(o.rounding) : 0;
  return nodes().intern(o.kind, o.width, rounding, a, b, c);
}

ExprPtr fsqrt(ExprContext &ctx, ExprPtr e) {
  return ctx.floatTerm({Kind::FSqrt, Rounding::NearestEven, e->width(), e->width()}, e);
}

ExprPtr fround(ExprContext &ctx, Rounding rounding, ExprPtr e) {
  return ctx.floatTerm({Kind::FRound, rounding, e->width(), e->width()}, e);
}

ExprPtr ffma(ExprContext &ctx, ExprPtr a, ExprPtr b, ExprPtr c) {
  if (a->width() == 16)
    return fconvert(
        ctx, ffma(ctx, fconvert(ctx, a, 32), fconvert(ctx, b, 32), fconvert(ctx, c, 32)), 16);
  return ctx.floatTerm({Kind::FFma, Rounding::NearestEven, a->width(), a->width()}, a, b, c);
}

ExprPtr fconvert(ExprContext &ctx, ExprPtr e, unsigned width) {
  if (width == e->width()) return e;
  return ctx.floatTerm({Kind::FConvert, Rounding::NearestEven, width, e->width()}, e);
}

ExprPtr stof(ExprContext &ctx, ExprPtr e, unsigned width) {
  return ctx.floatTerm({Kind::SToF, Rounding::NearestEven, width, e->width()}, e);
}

ExprPtr utof(ExprContext &ctx, ExprPtr e, unsigned width) {
  return ctx.floatTerm({Kind::UToF, Rounding::NearestEven, width, e->width()}, e);
}

ExprPtr ftos(ExprContext &ctx, ExprPtr e, unsigned width) {
  return ctx.floatTerm({Kind::FToS, Rounding::TowardZero, width, e->width()}, e);
}

ExprPtr ftou(ExprContext &ctx, ExprPtr e, unsigned width) {
  return ctx.floatTerm({Kind::FToU, Rounding::TowardZero, width, e->width()}, e);
}

ExprPtr fneg(ExprContext &ctx, ExprPtr e) {
  return ctx.bvXor(e, ctx.constant(floatFormat(e->width()).signBit(), e->width()));
}

ExprPtr fabs(ExprContext &ctx, ExprPtr e) {
  return ctx.bvAnd(e, ctx.constant(floatFormat(e->width()).magnitude(), e->width()));
}

ExprPtr fisNaN(ExprContext &ctx, ExprPtr e) {
  while (e->kind() == Kind::FConvert || e->kind() == Kind::FRound) e = e->op(0);
  if (e->kind() == Kind::SToF || e->kind() == Kind::UToF) return ctx.falseExpr();
  // The result of arithmetic is simpler as a number than as bits, which also say which NaN it is.
  if (isFloatValued(e->kind())) return ctx.bvNot(feq(ctx, e, e));
  const FloatFormat f = floatFormat(e->width());
  return ctx.ult(ctx.constant(f.infinity(), e->width()), fabs(ctx, e));
}

} // namespace fathom::expr
