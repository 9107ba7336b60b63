// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for comparisons of floating-point numbers. Widened numbers are compared in their original
// width, and converted integers as integers, so that `x < 0.5 * 7` with an int x needs no floating
// point.
#include "expr/FloatBuilders.h"
#include "expr/Rules.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fathom::expr {

namespace {

/// A number that is an integer: the value of `term`, signed, of at most 54 bits.
struct Integral {
  ExprPtr term;
  int64_t least, greatest;
};

/// The integer behind a conversion that is exact.
std::optional<Integral> integerBehind(ExprContext &ctx, ExprPtr e) {
  while (e->kind() == Kind::FConvert && e->width() > e->op(0)->width()) e = e->op(0);
  if (e->kind() != Kind::SToF && e->kind() != Kind::UToF) return std::nullopt;
  ExprPtr x = e->op(0);
  const unsigned width = x->width();
  if (width > floatFormat(e->width()).precision()) return std::nullopt;
  if (e->kind() == Kind::UToF)
    return Integral{ctx.zext(x, width + 1), 0, static_cast<int64_t>(lowMask(width))};
  const auto half = static_cast<int64_t>(uint64_t(1) << (width - 1));
  return Integral{x, -half, half - 1};
}

double valueOf(ExprPtr constant) {
  return floatOf<double>(
      foldFloat({Kind::FConvert, Rounding::NearestEven, 64, constant->width()}, constant->value()));
}

/// The integer is at most `bound` (no NaN).
ExprPtr atMost(ExprContext &ctx, const Integral &x, double bound) {
  bound = std::floor(bound);
  if (bound >= static_cast<double>(x.greatest)) return ctx.trueExpr();
  if (bound < static_cast<double>(x.least)) return ctx.falseExpr();
  return ctx.sle(x.term,
                 ctx.constant(static_cast<uint64_t>(static_cast<int64_t>(bound)), x.term->width()));
}

/// The integer is less than `bound`.
ExprPtr below(ExprContext &ctx, const Integral &x, double bound) {
  return atMost(ctx, x, std::ceil(bound) - 1);
}

ExprPtr equals(ExprContext &ctx, const Integral &x, double k) {
  if (k != std::floor(k) || k < static_cast<double>(x.least) || k > static_cast<double>(x.greatest))
    return ctx.falseExpr();
  return ctx.eq(x.term,
                ctx.constant(static_cast<uint64_t>(static_cast<int64_t>(k)), x.term->width()));
}

ExprPtr compareWithConstant(ExprContext &ctx, Kind kind, const Integral &x, double k,
                            bool constantFirst) {
  switch (kind) {
  case Kind::FLt: return constantFirst ? ctx.bvNot(atMost(ctx, x, k)) : below(ctx, x, k);
  case Kind::FLe: return constantFirst ? ctx.bvNot(below(ctx, x, k)) : atMost(ctx, x, k);
  default: return equals(ctx, x, k);
  }
}

ExprPtr compareIntegers(ExprContext &ctx, Kind kind, const Integral &x, const Integral &y) {
  const unsigned width = std::max(x.term->width(), y.term->width());
  ExprPtr a = ctx.sext(x.term, width), b = ctx.sext(y.term, width);
  return kind == Kind::FLt ? ctx.slt(a, b) : kind == Kind::FLe ? ctx.sle(a, b) : ctx.eq(a, b);
}

bool isWidened(ExprPtr e) { return e->kind() == Kind::FConvert && e->op(0)->width() < e->width(); }

} // namespace

ExprPtr rewriteFloatCompare(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b) {
  const FloatFormat format = floatFormat(a->width());
  for (ExprPtr e : {a, b})
    if (e->isConst() && format.isNaN(e->value())) return ctx.falseExpr();
  if (a == b) {
    if (kind == Kind::FLt) return ctx.falseExpr();
    // x = x holds iff x is no NaN. For an arithmetic result, feq(x, x) is the canonical form of
    // this test; for other terms, not fisNaN(x) is.
    const bool arithmetic = isFloatValued(a->kind()) && a->kind() != Kind::FConvert &&
                            a->kind() != Kind::FRound && a->kind() != Kind::SToF &&
                            a->kind() != Kind::UToF;
    if (!arithmetic) return ctx.bvNot(fisNaN(ctx, a));
    return kind == Kind::FLe ? feq(ctx, a, a) : nullptr;
  }

  const auto x = integerBehind(ctx, a), y = integerBehind(ctx, b);
  if (x && y) return compareIntegers(ctx, kind, *x, *y);
  if (x && b->isConst()) return compareWithConstant(ctx, kind, *x, valueOf(b), false);
  if (y && a->isConst()) return compareWithConstant(ctx, kind, *y, valueOf(a), true);

  // fconvert(x) < fconvert(y) -> x < y, also with a constant that x's type has
  ExprPtr wide = isWidened(a) ? a : b, other = wide == a ? b : a;
  if (!isWidened(wide)) return nullptr;
  const unsigned width = wide->op(0)->width();
  ExprPtr narrow = nullptr;
  if (isWidened(other) && other->op(0)->width() == width) {
    narrow = other->op(0);
  } else if (other->isConst()) {
    ExprPtr k = fconvert(ctx, other, width);
    if (fconvert(ctx, k, other->width()) == other) narrow = k;
  }
  if (!narrow) return nullptr;
  return wide == a ? ctx.binary(kind, wide->op(0), narrow) : ctx.binary(kind, narrow, wide->op(0));
}

} // namespace fathom::expr
