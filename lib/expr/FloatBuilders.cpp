// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The builders of floating-point operations. All go through floatTerm, which follows the pattern of
// Builders.cpp. Arithmetic is not commutative here: of two NaNs the first one counts.
#include "expr/ContextImpl.h"

namespace fathom::expr {

ExprPtr ExprContext::Impl::floatTerm(const FloatOperation &o, ExprPtr a, ExprPtr b, ExprPtr c) {
  assert((o.kind == Kind::SToF || o.kind == Kind::UToF ? a->width() >= 1 && a->width() <= 64
                                                       : isFloatWidth(a->width())) &&
         "no such floating-point operand");
  assert((!b || b->width() == a->width()) && (!c || c->width() == a->width()) &&
         "operands differ in width");
  if (a->isConst() && (!b || b->isConst()) && (!c || c->isConst()))
    return ctx.constant(foldFloat(o, a->value(), b ? b->value() : 0, c ? c->value() : 0), o.width);
  if (o.kind == Kind::FEq && !inOrder(a, b)) std::swap(a, b);
  if (ctx.options_.simplify) {
    Deeper deeper(*this);
    if (deeper.fine())
      if (ExprPtr simpler = rewriteFloat(o, a, b)) return simpler;
  }
  const uint64_t rounding = o.kind == Kind::FRound ? static_cast<uint64_t>(o.rounding) : 0;
  return intern(o.kind, o.width, rounding, a, b, c);
}

ExprPtr ExprContext::fsqrt(ExprPtr e) {
  return impl_->floatTerm({Kind::FSqrt, Rounding::NearestEven, e->width(), e->width()}, e);
}

ExprPtr ExprContext::fround(Rounding rounding, ExprPtr e) {
  return impl_->floatTerm({Kind::FRound, rounding, e->width(), e->width()}, e);
}

ExprPtr ExprContext::ffma(ExprPtr a, ExprPtr b, ExprPtr c) {
  if (a->width() == 16)
    return fconvert(ffma(fconvert(a, 32), fconvert(b, 32), fconvert(c, 32)), 16);
  return impl_->floatTerm({Kind::FFma, Rounding::NearestEven, a->width(), a->width()}, a, b, c);
}

ExprPtr ExprContext::fconvert(ExprPtr e, unsigned width) {
  if (width == e->width()) return e;
  return impl_->floatTerm({Kind::FConvert, Rounding::NearestEven, width, e->width()}, e);
}

ExprPtr ExprContext::stof(ExprPtr e, unsigned width) {
  return impl_->floatTerm({Kind::SToF, Rounding::NearestEven, width, e->width()}, e);
}

ExprPtr ExprContext::utof(ExprPtr e, unsigned width) {
  return impl_->floatTerm({Kind::UToF, Rounding::NearestEven, width, e->width()}, e);
}

ExprPtr ExprContext::ftos(ExprPtr e, unsigned width) {
  return impl_->floatTerm({Kind::FToS, Rounding::TowardZero, width, e->width()}, e);
}

ExprPtr ExprContext::ftou(ExprPtr e, unsigned width) {
  return impl_->floatTerm({Kind::FToU, Rounding::TowardZero, width, e->width()}, e);
}

ExprPtr ExprContext::fneg(ExprPtr e) {
  return bvXor(e, constant(floatFormat(e->width()).signBit(), e->width()));
}

ExprPtr ExprContext::fabs(ExprPtr e) {
  return bvAnd(e, constant(floatFormat(e->width()).magnitude(), e->width()));
}

ExprPtr ExprContext::fisNaN(ExprPtr e) {
  while (e->kind() == Kind::FConvert || e->kind() == Kind::FRound) e = e->op(0);
  if (e->kind() == Kind::SToF || e->kind() == Kind::UToF) return falseExpr();
  // Of the result of arithmetic the number is simpler than the bits, which also say which NaN.
  if (isFloatValued(e->kind())) return bvNot(feq(e, e));
  const FloatFormat f = floatFormat(e->width());
  return ult(constant(f.infinity(), e->width()), fabs(e));
}

} // namespace fathom::expr
