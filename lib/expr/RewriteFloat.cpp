// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for floating-point arithmetic and conversions: what C's promotions to double put around an
// operation on floats is taken away again, and integers that pass through a floating-point type
// stay integers. All are exact, NaNs included. (There is no x + 0 -> x: not for -0.)
#include "expr/FloatBuilders.h"
#include "expr/Rules.h"

namespace fathom::expr {

static ExprPtr rewriteFloatArithmetic(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b);
static ExprPtr rewriteFConvert(ExprContext &ctx, ExprPtr e, unsigned width);
static ExprPtr rewriteFRound(ExprContext &ctx, Rounding rounding, ExprPtr e);
static ExprPtr rewriteFToInteger(ExprContext &ctx, const FloatOperation &o, ExprPtr e);

/// x, or if it is a signalling NaN the quiet one: what an operation that does not change numbers
/// leaves of it. FRound and operations on bits may have signalling NaNs as values.
static ExprPtr quieted(ExprContext &ctx, ExprPtr x) {
  if (isFloatValued(x->kind()) && x->kind() != Kind::FRound) return x;
  ExprPtr quietBit = ctx.constant(floatFormat(x->width()).quietBit(), x->width());
  return ctx.ite(fisNaN(ctx, x), ctx.bvOr(x, quietBit), x);
}

ExprPtr rewriteFloat(ExprContext &ctx, const FloatOperation &o, ExprPtr a, ExprPtr b) {
  if (isFloatBinary(o.kind)) {
    if (ExprPtr r = rewriteIteArms(ctx, o.kind, a, b)) return r;
    return isFloatPredicate(o.kind) ? rewriteFloatCompare(ctx, o.kind, a, b)
                                    : rewriteFloatArithmetic(ctx, o.kind, a, b);
  }
  switch (o.kind) {
  case Kind::FConvert: return rewriteFConvert(ctx, a, o.width);
  case Kind::FRound: return rewriteFRound(ctx, o.rounding, a);
  case Kind::FToS:
  case Kind::FToU: return rewriteFToInteger(ctx, o, a);
  case Kind::SToF: // stof(zext(x)) -> utof(x): narrower, and never negative
    return a->kind() == Kind::ZExt   ? utof(ctx, a->op(0), o.width)
           : a->kind() == Kind::SExt ? stof(ctx, a->op(0), o.width)
                                     : nullptr;
  case Kind::UToF: return a->kind() == Kind::ZExt ? utof(ctx, a->op(0), o.width) : nullptr;
  default: return nullptr;
  }
}

static ExprPtr rewriteFloatArithmetic(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b) {
  const uint64_t one = floatFormat(a->width()).one();
  // x * 1, x / 1, 1 * x -> x
  if ((kind == Kind::FMul || kind == Kind::FDiv) && b->isConst(one)) return quieted(ctx, a);
  if (kind == Kind::FMul && a->isConst(one)) return quieted(ctx, b);
  return nullptr;
}

/// The operand of a widening conversion from this width, or a constant that has the same value
/// there (no NaN); else null.
static ExprPtr narrowed(ExprContext &ctx, ExprPtr e, unsigned width) {
  if (e->kind() == Kind::FConvert && e->op(0)->width() == width) return e->op(0);
  if (!e->isConst() || floatFormat(e->width()).isNaN(e->value())) return nullptr;
  ExprPtr narrow = fconvert(ctx, e, width);
  return fconvert(ctx, narrow, e->width()) == e ? narrow : nullptr;
}

static ExprPtr rewriteFConvert(ExprContext &ctx, ExprPtr e, unsigned width) {
  if (e->kind() == Kind::FConvert) {
    ExprPtr x = e->op(0);
    // x widened and narrowed again -> x; widened twice -> widened
    if (x->width() == width && e->width() > width) return quieted(ctx, x);
    if (x->width() < e->width() && e->width() < width) return fconvert(ctx, x, width);
  }
  const bool narrows = width < e->width();
  // The sum of two widened numbers, narrowed again -> their sum. Twice the precision and two bits
  // are enough for that the second rounding changes nothing [figueroa].
  if (narrows && floatFormat(e->width()).precision() >= 2 * floatFormat(width).precision() + 2) {
    if (e->kind() >= Kind::FAdd && e->kind() <= Kind::FDiv) {
      ExprPtr x = narrowed(ctx, e->op(0), width), y = narrowed(ctx, e->op(1), width);
      if (x && y) return ctx.binary(e->kind(), x, y);
    }
    if (e->kind() == Kind::FSqrt)
      if (ExprPtr x = narrowed(ctx, e->op(0), width)) return fsqrt(ctx, x);
  }
  // An integer that the type between has exactly -> converted directly
  if ((e->kind() == Kind::SToF || e->kind() == Kind::UToF) &&
      e->op(0)->width() <= floatFormat(e->width()).precision())
    return e->kind() == Kind::SToF ? stof(ctx, e->op(0), width) : utof(ctx, e->op(0), width);
  return nullptr;
}

static ExprPtr rewriteFRound(ExprContext &ctx, Rounding, ExprPtr e) {
  // What is integral already (or no number).
  const bool integral =
      e->kind() == Kind::SToF || e->kind() == Kind::UToF || e->kind() == Kind::FRound;
  return integral ? e : nullptr;
}

static ExprPtr rewriteFToInteger(ExprContext &ctx, const FloatOperation &o, ExprPtr e) {
  // ftos(trunc(x)) -> ftos(x)
  if (e->kind() == Kind::FRound && e->rounding() == Rounding::TowardZero)
    return ctx.floatTerm(o, e->op(0));
  // ftos(stof(x)) -> sext(x), where the type between has x exactly
  const FloatFormat between = floatFormat(e->width());
  if (e->kind() == Kind::SToF && o.kind == Kind::FToS && e->op(0)->width() <= between.precision() &&
      e->op(0)->width() <= o.width)
    return ctx.sext(e->op(0), o.width);
  if (e->kind() == Kind::UToF && e->op(0)->width() <= between.precision() &&
      e->op(0)->width() + (o.kind == Kind::FToS) <= o.width)
    return ctx.zext(e->op(0), o.width);
  return nullptr;
}

} // namespace fathom::expr
