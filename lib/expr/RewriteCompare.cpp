// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for Eq, Ult, Ule, Slt and Sle: they undo C's integer promotions (a comparison of an
// extended byte becomes a comparison of the byte), split words into bytes, and decide what known
// bits and intervals decide.
//
// Canonical forms: with a constant there is only Ult and Slt (x <= k is x < k+1); x <s 0 is the
// sign bit.
#include "expr/Facts.h"
#include "expr/Rules.h"

namespace fathom::expr {

static ExprPtr rewriteEqConst(ExprContext &ctx, ExprPtr e, ExprPtr k);
static ExprPtr rewriteUltConst(ExprContext &ctx, ExprPtr e, ExprPtr k);
static ExprPtr rewriteConstUlt(ExprContext &ctx, ExprPtr k, ExprPtr e);
static ExprPtr rewriteSltConst(ExprContext &ctx, ExprPtr e, ExprPtr k);

/// Both operands extended alike: compares what was extended. Also strips a common high part.
static ExprPtr rewriteNarrowCompare(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b) {
  if (a->kind() == Kind::ZExt && b->kind() == Kind::ZExt) {
    // Extended values are not negative, so a signed comparison is an unsigned one.
    Kind narrow = kind == Kind::Slt ? Kind::Ult : kind == Kind::Sle ? Kind::Ule : kind;
    unsigned n = std::max(a->op(0)->width(), b->op(0)->width());
    return ctx.binary(narrow, ctx.zext(a->op(0), n), ctx.zext(b->op(0), n));
  }
  if (a->kind() == Kind::SExt && b->kind() == Kind::SExt) {
    // Sign extension keeps both orders.
    unsigned n = std::max(a->op(0)->width(), b->op(0)->width());
    return ctx.binary(kind, ctx.sext(a->op(0), n), ctx.sext(b->op(0), n));
  }
  if (a->kind() == Kind::Concat && b->kind() == Kind::Concat && a->op(0) == b->op(0)) {
    // h ++ x < h ++ y -> x < y
    Kind narrow = kind == Kind::Slt ? Kind::Ult : kind == Kind::Sle ? Kind::Ule : kind;
    return ctx.binary(narrow, a->op(1), b->op(1));
  }
  return nullptr;
}

// --- Eq
// -------------------------------------------------------------------------------------------------------

ExprPtr rewriteEq(ExprContext &ctx, ExprPtr &a, ExprPtr &b) {
  if (a == b) return ctx.trueExpr();
  if (b->isConst()) return rewriteEqConst(ctx, a, b);
  if (areComplements(a, b)) return ctx.falseExpr();
  if (a->kind() == Kind::Not && b->kind() == Kind::Not) return ctx.eq(a->op(0), b->op(0));
  if (ExprPtr r = rewriteNarrowCompare(ctx, Kind::Eq, a, b)) return r;
  // (a ++ b) = (c ++ d) -> a = c & b = d, when cut at the same place
  if (a->kind() == Kind::Concat && b->kind() == Kind::Concat &&
      a->op(1)->width() == b->op(1)->width())
    return ctx.bvAnd(ctx.eq(a->op(0), b->op(0)), ctx.eq(a->op(1), b->op(1)));
  for (int swap = 0; swap < 2; ++swap) {
    ExprPtr x = swap ? b : a, y = swap ? a : b;
    if (x->kind() == Kind::Add || x->kind() == Kind::Xor) {
      // x + z = x -> z = 0
      if (x->op(0) == y) return ctx.eq(x->op(1), zero(ctx, x->width()));
      if (x->op(1) == y) return ctx.eq(x->op(0), zero(ctx, x->width()));
      if (x->kind() == y->kind()) // x + z = x + u -> z = u
        for (unsigned i = 0; i < 2; ++i)
          for (unsigned j = 0; j < 2; ++j)
            if (x->op(i) == y->op(j) && !x->op(i)->isConst())
              return ctx.eq(x->op(1 - i), y->op(1 - j));
    }
    // ite(c, y, z) = y -> c | z = y
    if (x->kind() == Kind::Ite) {
      if (x->op(1) == y) return ctx.bvOr(x->op(0), ctx.eq(x->op(2), y));
      if (x->op(2) == y) return ctx.bvOr(ctx.bvNot(x->op(0)), ctx.eq(x->op(1), y));
    }
  }
  // x + k1 = y + k2 -> x = y + (k2 - k1)
  if (a->kind() == Kind::Add && b->kind() == Kind::Add && a->op(1)->isConst() &&
      b->op(1)->isConst())
    return ctx.eq(a->op(0), ctx.add(b->op(0), ctx.sub(b->op(1), a->op(1))));
  if (a->width() <= 64 &&
      decideCompare(Kind::Eq, factsOf(a, 3), factsOf(b, 3), a->width()) == false)
    return ctx.falseExpr();
  return nullptr;
}

/// e = k, width > 1.
static ExprPtr rewriteEqConst(ExprContext &ctx, ExprPtr e, ExprPtr k) {
  const unsigned width = e->width();
  switch (e->kind()) {
  case Kind::ZExt: { // zext(x) = k -> x = k', or false
    unsigned n = e->op(0)->width();
    if (!isZero(ctx.extract(k, n, width - n))) return ctx.falseExpr();
    return ctx.eq(e->op(0), ctx.extract(k, 0, n));
  }
  case Kind::SExt: {
    unsigned n = e->op(0)->width();
    ExprPtr low = ctx.extract(k, 0, n);
    return ctx.sext(low, width) == k ? ctx.eq(e->op(0), low) : ctx.falseExpr();
  }
  case Kind::Concat: { // h ++ l = k -> h = kh & l = kl
    unsigned n = e->op(1)->width();
    return ctx.bvAnd(ctx.eq(e->op(0), ctx.extract(k, n, width - n)),
                     ctx.eq(e->op(1), ctx.extract(k, 0, n)));
  }
  case Kind::Not: return ctx.eq(e->op(0), ctx.bvNot(k));
  case Kind::Add: // x + k1 = k -> x = k - k1
    return e->op(1)->isConst() ? ctx.eq(e->op(0), ctx.sub(k, e->op(1))) : nullptr;
  case Kind::Sub:
    if (e->op(0)->isConst())
      return ctx.eq(e->op(1), ctx.sub(e->op(0), k));         // k1 - x = k -> x = k1 - k
    return isZero(k) ? ctx.eq(e->op(0), e->op(1)) : nullptr; // x - y = 0 -> x = y
  case Kind::Xor:
    if (e->op(1)->isConst()) return ctx.eq(e->op(0), ctx.bvXor(e->op(1), k));
    return isZero(k) ? ctx.eq(e->op(0), e->op(1)) : nullptr;
  case Kind::Mul:
    // x * k1 = k -> x = k / k1 for odd k1 (invertible modulo 2^n)
    if (e->op(1)->isConst() && toAPInt(e->op(1))[0])
      return ctx.eq(e->op(0),
                    ctx.mul(k, constantOf(ctx, toAPInt(e->op(1)).multiplicativeInverse())));
    break;
  case Kind::And:
    if (e->op(1)->isConst() && !isZero(ctx.bvAnd(k, ctx.bvNot(e->op(1))))) return ctx.falseExpr();
    break;
  case Kind::Or:
    if (isZero(k))
      return ctx.bvAnd(ctx.eq(e->op(0), k), ctx.eq(e->op(1), k)); // x | y = 0 -> x = 0 & y = 0
    if (e->op(1)->isConst()) {
      if (!isZero(ctx.bvAnd(e->op(1), ctx.bvNot(k)))) return ctx.falseExpr();
    }
    break;
  default: break;
  }
  if (width <= 64 && !factsOf(e, 3).admits(k->value())) return ctx.falseExpr();
  return nullptr;
}

// --- unsigned order
// ---------------------------------------------------------------------------------------------

ExprPtr rewriteUlt(ExprContext &ctx, ExprPtr a, ExprPtr b) {
  if (a == b) return ctx.falseExpr();
  if (b->isConst()) return rewriteUltConst(ctx, a, b);
  if (a->isConst()) return rewriteConstUlt(ctx, a, b);
  if (ExprPtr r = rewriteNarrowCompare(ctx, Kind::Ult, a, b)) return r;
  if (a->width() <= 64) {
    const auto decided = decideCompare(Kind::Ult, factsOf(a, 3), factsOf(b, 3), a->width());
    if (decided) return ctx.boolean(*decided);
  }
  return nullptr;
}

/// zext(x) + k1 < k or sext(x) + k1 < k with x of n bits (isdigit and its kin): the values of x
/// that satisfy it are one interval of the extended order, and often one at n bits too. Null when
/// they are not.
static ExprPtr promotedRange(ExprContext &ctx, ExprPtr extended, uint64_t k1, uint64_t k) {
  const unsigned width = extended->width(), n = extended->op(0)->width();
  if (width > 64 || n > 32) return nullptr;
  const uint64_t mask = lowMask(width);
  ExprPtr x = extended->op(0);
  // v + k1 < k  <=>  v in [lo, lo + k - 1] modulo 2^width, lo = -k1.
  const uint64_t lo = (0 - k1) & mask, hi = (lo + k - 1) & mask; // inclusive; k >= 1
  // `from` and `to` are ends of an interval of values that v takes, in an order that wraps at most
  // at n bits.
  auto between = [&](uint64_t from, uint64_t to) -> ExprPtr {
    from &= lowMask(n), to &= lowMask(n);
    if (from == to) return ctx.eq(x, ctx.constant(from, n));
    uint64_t length = (to - from + 1) & lowMask(n);
    if (length == 0) return ctx.trueExpr(); // all 2^n values
    if (to == lowMask(n)) return ctx.ule(ctx.constant(from, n), x);
    return ctx.ult(ctx.add(x, ctx.constant(0 - from, n)), ctx.constant(length, n));
  };
  auto clipped = [&](uint64_t first, uint64_t last) -> ExprPtr {
    if (hi < first || lo > last) return ctx.falseExpr();
    return between(std::max(lo, first), std::min(hi, last));
  };
  const uint64_t half = uint64_t(1) << (n - 1),
                 negative = (0 - half) & mask; // sext: [negative, mask] and [0, half)
  if (lo > hi) {                               // [lo, mask] and [0, hi]
    if (extended->kind() == Kind::ZExt)
      return lo > lowMask(n) ? between(0, std::min(hi, lowMask(n))) : nullptr;
    if (lo < half || hi >= negative) return nullptr;
    return between(std::max(lo, negative), std::min(hi, half - 1));
  }
  if (extended->kind() == Kind::ZExt) return clipped(0, lowMask(n));
  bool touchesLow = lo < half, touchesHigh = hi >= negative;
  if (touchesLow && touchesHigh) return nullptr;
  return touchesHigh ? clipped(negative, mask) : clipped(0, half - 1);
}

/// e < k, k a constant; width > 1.
static ExprPtr rewriteUltConst(ExprContext &ctx, ExprPtr e, ExprPtr k) {
  const unsigned width = e->width();
  if (isZero(k)) return ctx.falseExpr();
  if (isOne(k)) return ctx.eq(e, zero(ctx, width));
  if (isAllOnes(k)) return ctx.ne(e, k);
  switch (e->kind()) {
  case Kind::ZExt: { // zext(x) < k -> x < k', or true
    unsigned n = e->op(0)->width();
    if (!isZero(ctx.extract(k, n, width - n))) return ctx.trueExpr();
    return ctx.ult(e->op(0), ctx.extract(k, 0, n));
  }
  case Kind::SExt: {
    unsigned n = e->op(0)->width();
    ExprPtr low = ctx.extract(k, 0, n), top = ctx.extract(k, n - 1, width - n + 1);
    // k <= 2^(n-1), or k is itself a sign-extended negative: the order at n bits
    if (isZero(top) || isAllOnes(top)) return ctx.ult(e->op(0), low);
    if (isOne(top) && isZero(ctx.extract(k, 0, n - 1 ? n - 1 : 1)) && n > 1)
      return ctx.ult(e->op(0), low);
    return ctx.bvNot(ctx.extract(e->op(0), n - 1, 1)); // between the two blocks: x >=s 0
  }
  case Kind::Concat: {
    ExprPtr h = e->op(0), l = e->op(1);
    unsigned n = l->width();
    ExprPtr kh = ctx.extract(k, n, width - n), kl = ctx.extract(k, 0, n);
    if (isZero(kl)) return ctx.ult(h, kh); // h ++ l < kh ++ 0 -> h < kh
    if (l->isConst()) return ctx.ult(l, kl)->isTrue() ? ctx.ule(h, kh) : ctx.ult(h, kh);
    if (h->isConst()) return h == kh ? ctx.ult(l, kl) : ctx.ult(h, kh);
    if (isZero(kh))
      return ctx.bvAnd(ctx.eq(h, kh), ctx.ult(l, kl)); // h ++ l < 0 ++ kl -> h = 0 & l < kl
    break;
  }
  case Kind::Add: {
    ExprPtr x = e->op(0);
    if (width <= 64 && e->op(1)->isConst() && (x->kind() == Kind::ZExt || x->kind() == Kind::SExt))
      if (ExprPtr r = promotedRange(ctx, x, e->op(1)->value(), k->value())) return r;
    break;
  }
  default: break;
  }
  if (width <= 64) {
    const auto decided = decideCompare(Kind::Ult, factsOf(e, 3), Facts::exactly(k->value()), width);
    if (decided) return ctx.boolean(*decided);
  }
  return nullptr;
}

/// k < e, the complement of e < k + 1.
static ExprPtr rewriteConstUlt(ExprContext &ctx, ExprPtr k, ExprPtr e) {
  if (isAllOnes(k)) return ctx.falseExpr();
  ExprPtr next = ctx.sub(k, ctx.bvNot(zero(ctx, k->width())));
  ExprPtr r = rewriteUltConst(ctx, e, next);
  return r ? ctx.bvNot(r) : nullptr;
}

ExprPtr rewriteUle(ExprContext &ctx, ExprPtr a, ExprPtr b) {
  if (a == b) return ctx.trueExpr();
  ExprPtr minusOne = nullptr;
  if (a->isConst() || b->isConst()) minusOne = ctx.bvNot(zero(ctx, a->width()));
  // k <= x -> k - 1 < x, or true; x <= k -> x < k + 1, or true
  if (a->isConst()) return isZero(a) ? ctx.trueExpr() : ctx.ult(ctx.add(a, minusOne), b);
  if (b->isConst()) return b == minusOne ? ctx.trueExpr() : ctx.ult(a, ctx.sub(b, minusOne));
  if (ExprPtr r = rewriteNarrowCompare(ctx, Kind::Ule, a, b)) return r;
  if (a->width() <= 64) {
    const auto decided = decideCompare(Kind::Ule, factsOf(a, 3), factsOf(b, 3), a->width());
    if (decided) return ctx.boolean(*decided);
  }
  return nullptr;
}

// --- signed order
// -----------------------------------------------------------------------------------------------

static bool isSignedMin(ExprPtr e) { return e->isConst() && toAPInt(e).isMinSignedValue(); }
static bool isSignedMax(ExprPtr e) { return e->isConst() && toAPInt(e).isMaxSignedValue(); }

ExprPtr rewriteSlt(ExprContext &ctx, ExprPtr a, ExprPtr b) {
  const unsigned width = a->width();
  if (a == b) return ctx.falseExpr();
  if (b->isConst()) {
    if (ExprPtr r = rewriteSltConst(ctx, a, b)) return r;
  } else if (a->isConst()) { // k < x is the complement of x < k + 1
    if (isSignedMax(a)) return ctx.falseExpr();
    ExprPtr next = ctx.sub(a, ctx.bvNot(zero(ctx, width)));
    if (ExprPtr r = rewriteSltConst(ctx, b, next)) return ctx.bvNot(r);
  } else if (ExprPtr r = rewriteNarrowCompare(ctx, Kind::Slt, a, b)) {
    return r;
  }
  if (width > 64) return nullptr;
  Facts fa = factsOf(a, 3), fb = factsOf(b, 3);
  const auto decided = decideCompare(Kind::Slt, fa, fb, width);
  if (decided) return ctx.boolean(*decided);
  // Equal signs: the unsigned order, for which there are more rules.
  const uint64_t sign = uint64_t(1) << (width - 1);
  if ((fa.zeros & fb.zeros & sign) || (fa.ones & fb.ones & sign)) return ctx.ult(a, b);
  return nullptr;
}

/// e < k signed; width > 1.
static ExprPtr rewriteSltConst(ExprContext &ctx, ExprPtr e, ExprPtr k) {
  const unsigned width = e->width();
  if (isSignedMin(k)) return ctx.falseExpr();
  if (isZero(k)) return ctx.extract(e, width - 1, 1); // x < 0 -> the sign bit
  switch (e->kind()) {
  case Kind::SExt: { // sext(x) < k -> x < k', or decided by the sign of a k out of reach
    unsigned n = e->op(0)->width();
    ExprPtr low = ctx.extract(k, 0, n);
    if (ctx.sext(low, width) == k) return ctx.slt(e->op(0), low);
    return ctx.boolean(!toAPInt(k).isNegative());
  }
  case Kind::Concat: {
    ExprPtr h = e->op(0), l = e->op(1);
    unsigned n = l->width();
    ExprPtr kh = ctx.extract(k, n, width - n), kl = ctx.extract(k, 0, n);
    if (isZero(kl)) return ctx.slt(h, kh);
    if (l->isConst()) return ctx.ult(l, kl)->isTrue() ? ctx.sle(h, kh) : ctx.slt(h, kh);
    break;
  }
  case Kind::Add: {
    // ext(x) + k1 < k -> ext(x) < k - k1, when neither side can overflow
    ExprPtr x = e->op(0);
    if (width > 64 || !e->op(1)->isConst() || (x->kind() != Kind::ZExt && x->kind() != Kind::SExt))
      break;
    unsigned n = x->op(0)->width();
    if (n > 62) break;
    using Wide = __int128;
    Wide lowest = x->kind() == Kind::ZExt ? 0 : -(Wide(1) << (n - 1));
    Wide highest = (Wide(1) << (x->kind() == Kind::ZExt ? n : n - 1)) - 1;
    Wide k1 = signedValue(e->op(1)->value(), width),
         bound = Wide(signedValue(k->value(), width)) - k1;
    Wide limit = Wide(1) << (width - 1);
    if (lowest + k1 < -limit || highest + k1 >= limit) break;
    if (bound <= lowest) return ctx.falseExpr();
    if (bound > highest) return ctx.trueExpr();
    return ctx.slt(x, ctx.constant(static_cast<uint64_t>(bound), width));
  }
  default: break;
  }
  return nullptr;
}

ExprPtr rewriteSle(ExprContext &ctx, ExprPtr a, ExprPtr b) {
  if (a == b) return ctx.trueExpr();
  const unsigned width = a->width();
  if (a->isConst() || b->isConst()) {
    ExprPtr minusOne = ctx.bvNot(zero(ctx, width));
    if (a->isConst()) return isSignedMin(a) ? ctx.trueExpr() : ctx.slt(ctx.add(a, minusOne), b);
    return isSignedMax(b) ? ctx.trueExpr() : ctx.slt(a, ctx.sub(b, minusOne));
  }
  if (ExprPtr r = rewriteNarrowCompare(ctx, Kind::Sle, a, b)) return r;
  if (width > 64) return nullptr;
  Facts fa = factsOf(a, 3), fb = factsOf(b, 3);
  const auto decided = decideCompare(Kind::Sle, fa, fb, width);
  if (decided) return ctx.boolean(*decided);
  const uint64_t sign = uint64_t(1) << (width - 1);
  if ((fa.zeros & fb.zeros & sign) || (fa.ones & fb.ones & sign)) return ctx.ule(a, b);
  return nullptr;
}

} // namespace fathom::expr
