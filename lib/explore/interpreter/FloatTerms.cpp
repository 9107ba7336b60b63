// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreter/FloatTerms.h"

#include "expr/FloatBuilders.h"
#include "expr/FloatFormat.h"

#include "llvm/Support/ErrorHandling.h"

namespace fathom::explore {

using expr::ExprContext;
using expr::ExprPtr;
using expr::FloatFormat;
using expr::Rounding;
using program::FpMath;

ExprPtr floatCompareTerm(ExprContext &ctx, unsigned predicate, ExprPtr a, ExprPtr b) {
  // A predicate of llvm::CmpInst is a set of bits: 1 = equal, 2 = greater, 4 = less, 8 = unordered.
  // One with "unordered" is the negation of the ordered predicate with the complementary bits.
  if (predicate & 8) return ctx.bvNot(floatCompareTerm(ctx, ~predicate & 7, a, b));
  switch (predicate) {
  case 0: return ctx.falseExpr();
  case 1: return feq(ctx, a, b);
  case 2: return flt(ctx, b, a);
  case 3: return fle(ctx, b, a);
  case 4: return flt(ctx, a, b);
  case 5: return fle(ctx, a, b);
  case 6: return ctx.bvOr(flt(ctx, a, b), flt(ctx, b, a));
  default: return ctx.bvAnd(ctx.bvNot(fisNaN(ctx, a)), ctx.bvNot(fisNaN(ctx, b)));
  }
}

ExprPtr floatMath1Term(ExprContext &ctx, FpMath op, ExprPtr x) {
  switch (op) {
  case FpMath::Fabs: return fabs(ctx, x);
  case FpMath::Sqrt: return fsqrt(ctx, x);
  case FpMath::Floor: return fround(ctx, Rounding::Down, x);
  case FpMath::Ceil: return fround(ctx, Rounding::Up, x);
  case FpMath::Trunc: return fround(ctx, Rounding::TowardZero, x);
  case FpMath::Rint:
  case FpMath::Nearbyint:
  case FpMath::RoundEven:
  case FpMath::Lrint: return fround(ctx, Rounding::NearestEven, x);
  case FpMath::Round:
  case FpMath::Lround: return fround(ctx, Rounding::NearestAway, x);
  case FpMath::Canonicalize: return x;
  default: llvm_unreachable("an operation of one operand");
  }
}

ExprPtr floatMath2Term(ExprContext &ctx, FpMath op, ExprPtr x, ExprPtr y) {
  const unsigned w = x->width();
  auto signOf = [&](ExprPtr e) { return ctx.extract(e, w - 1, 1); };
  switch (op) {
  case FpMath::CopySign: return ctx.concat(signOf(y), ctx.trunc(x, w - 1));
  case FpMath::MinNum:
  case FpMath::MaxNum: {
    ExprPtr takesSecond = op == FpMath::MinNum ? flt(ctx, y, x) : flt(ctx, x, y);
    return ctx.ite(ctx.bvOr(fisNaN(ctx, x), takesSecond), y, x);
  }
  case FpMath::Minimum:
  case FpMath::Maximum: {
    ExprPtr quietBit = ctx.constant(expr::floatFormat(w).quietBit(), w);
    ExprPtr negative = op == FpMath::Minimum ? x : y, positive = op == FpMath::Minimum ? y : x;
    ExprPtr equal = ctx.ite(signOf(x), negative, positive); // -0 is less than 0
    ExprPtr chosen = ctx.ite(feq(ctx, x, y), equal, ctx.ite(flt(ctx, x, y), negative, positive));
    return ctx.ite(fisNaN(ctx, x), ctx.bvOr(x, quietBit),
                   ctx.ite(fisNaN(ctx, y), ctx.bvOr(y, quietBit), chosen));
  }
  default: llvm_unreachable("an operation of two operands");
  }
}

ExprPtr floatToIntegerTerm(ExprContext &ctx, ExprPtr x, unsigned width, bool isSigned) {
  // Instructions are for 32 and 64 bits, signed; of narrower results the low part is taken.
  if (width < 32 || (width == 32 && isSigned)) return ctx.trunc(ftos(ctx, x, 32), width);
  if (width < 64 || isSigned) return ctx.trunc(ftos(ctx, x, 64), width);
  ExprPtr zero = ctx.constant(0, x->width());
  return ctx.ite(flt(ctx, x, zero), ftos(ctx, x, 64), ftou(ctx, x, 64));
}

ExprPtr floatClassTerm(ExprContext &ctx, uint64_t mask, ExprPtr x) {
  const unsigned w = x->width();
  const FloatFormat f = expr::floatFormat(w);
  auto number = [&](uint64_t v) { return ctx.constant(v, w); };
  ExprPtr magnitude = fabs(ctx, x), negative = ctx.extract(x, w - 1, 1);
  ExprPtr nan = ctx.ult(number(f.infinity()), magnitude);
  ExprPtr quiet = ctx.ne(ctx.bvAnd(x, number(f.quietBit())), number(0));
  ExprPtr infinite = ctx.eq(magnitude, number(f.infinity()));
  ExprPtr zero = ctx.eq(magnitude, number(0));
  ExprPtr leastNormal = number(uint64_t(1) << f.fractionBits);
  ExprPtr subnormal = ctx.bvAnd(ctx.bvNot(zero), ctx.ult(magnitude, leastNormal));
  ExprPtr normal =
      ctx.bvAnd(ctx.ule(leastNormal, magnitude), ctx.ult(magnitude, number(f.infinity())));
  // LLVM's FPClassTest: bits from the signalling NaN, over the negative classes from infinity to
  // zero, the positive ones from zero to infinity.
  auto with = [&](ExprPtr sign, ExprPtr what) { return ctx.bvAnd(sign, what); };
  ExprPtr positive = ctx.bvNot(negative);
  ExprPtr classes[] = {ctx.bvAnd(nan, ctx.bvNot(quiet)),
                       ctx.bvAnd(nan, quiet),
                       with(negative, infinite),
                       with(negative, normal),
                       with(negative, subnormal),
                       with(negative, zero),
                       with(positive, zero),
                       with(positive, subnormal),
                       with(positive, normal),
                       with(positive, infinite)};
  ExprPtr any = ctx.falseExpr();
  for (unsigned i = 0; i < std::size(classes); ++i)
    if (mask >> i & 1) any = ctx.bvOr(any, classes[i]);
  return any;
}

} // namespace fathom::explore
