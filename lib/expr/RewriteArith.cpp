// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for Add, Sub, Mul and the divisions. Constants bubble to the right and outwards, so that a
// chain of additions carries one constant; x - k is x + (-k); -x is 0 - x.
#include "expr/Facts.h"
#include "expr/Rules.h"

namespace fathom::expr {

static bool endsInConst(ExprPtr e, Kind kind) { return e->kind() == kind && e->op(1)->isConst(); }

// k ++ x is (0 ++ x) + (k ++ 0), the form of an index into an object at an aligned address. As a
// part of a sum it is taken apart again, so that the constant can meet others.
static bool isBased(ExprPtr e) { return e->kind() == Kind::Concat && e->op(0)->isConst(); }
static ExprPtr offsetOf(ExprContext &ctx, ExprPtr e) { return ctx.zext(e->op(1), e->width()); }
static ExprPtr baseOf(ExprContext &ctx, ExprPtr e) {
  return ctx.concat(e->op(0), zero(ctx, e->op(1)->width()));
}

ExprPtr rewriteAdd(ExprContext &ctx, ExprPtr &a, ExprPtr &b) {
  if (isZero(b)) return a;
  if (b->isConst()) {
    if (endsInConst(a, Kind::Add))
      return ctx.add(a->op(0), ctx.add(a->op(1), b)); // (x + k1) + k2 -> x + k12
    if (a->kind() == Kind::Sub && a->op(0)->isConst())
      return ctx.sub(ctx.add(a->op(0), b), a->op(1)); // (k1 - x) + k2 -> k12 - x
    if (a->kind() == Kind::Not)                       // ~x + k -> (k - 1) - x
      return ctx.sub(ctx.add(b, ctx.bvNot(zero(ctx, b->width()))), a->op(0));
  } else {
    if (a == b && a->width() > 1) // x + x -> x[..] ++ 0
      return ctx.concat(ctx.extract(a, 0, a->width() - 1), ctx.falseExpr());
    for (int swap = 0; swap < 2; ++swap) {
      ExprPtr x = swap ? b : a, y = swap ? a : b;
      if (endsInConst(x, Kind::Add))
        return ctx.add(ctx.add(x->op(0), y), x->op(1)); // (x + k) + y -> (x + y) + k
      if (x->kind() != Kind::Sub) continue;
      if (x->op(1) == y) return x->op(0);                // (x - y) + y -> x
      if (isZero(x->op(0))) return ctx.sub(y, x->op(1)); // -x + y -> y - x
      if (x->op(0)->isConst())
        return ctx.add(ctx.sub(y, x->op(1)), x->op(0)); // (k - x) + y -> (y - x) + k
    }
  }
  if (ExprPtr merged = mergePieces(ctx, a, b)) return merged;
  if (isBased(a) && b->isConst())
    return ctx.add(offsetOf(ctx, a),
                   ctx.add(baseOf(ctx, a), b)); // (k1 ++ x) + k2 -> (0 ++ x) + ((k1 ++ 0) + k2)
  if (isBased(a))                               // (k ++ x) + y -> ((0 ++ x) + y) + (k ++ 0)
    return ctx.add(ctx.add(offsetOf(ctx, a), b), baseOf(ctx, a));
  if (isBased(b)) return ctx.add(ctx.add(a, offsetOf(ctx, b)), baseOf(ctx, b));
  return nullptr;
}

ExprPtr rewriteSub(ExprContext &ctx, ExprPtr &a, ExprPtr &b) {
  if (a == b) return zero(ctx, a->width());
  if (b->isConst()) return ctx.add(a, ctx.neg(b)); // x - k -> x + -k
  if (a->kind() == Kind::Add) {
    if (a->op(0) == b) return a->op(1); // (x + y) - x -> y
    if (a->op(1) == b) return a->op(0);
    if (a->op(1)->isConst())
      return ctx.add(ctx.sub(a->op(0), b), a->op(1)); // (x + k) - y -> (x - y) + k
  }
  if (b->kind() == Kind::Add) {
    if (b->op(0) == a) return ctx.neg(b->op(1)); // x - (x + y) -> -y
    if (b->op(1) == a) return ctx.neg(b->op(0));
    if (b->op(1)->isConst())
      return ctx.add(ctx.sub(a, b->op(0)), ctx.neg(b->op(1))); // x - (y + k) -> (x - y) - k
  }
  if (b->kind() == Kind::Sub) {
    if (b->op(0) == a) return b->op(1);                // x - (x - y) -> y
    if (isZero(b->op(0))) return ctx.add(a, b->op(1)); // x - -y -> x + y
    if (b->op(0)->isConst())
      return ctx.add(ctx.add(a, b->op(1)), ctx.neg(b->op(0))); // x - (k - y) -> (x + y) - k
  }
  if (a->kind() == Kind::Sub && a->op(0) == b) return ctx.neg(a->op(1)); // (x - y) - x -> -y
  if (isBased(a))
    return ctx.add(ctx.sub(offsetOf(ctx, a), b),
                   baseOf(ctx, a)); // (k ++ x) - y -> (0 ++ x - y) + (k ++ 0)
  if (isBased(b))
    return ctx.add(ctx.sub(a, offsetOf(ctx, b)),
                   ctx.neg(baseOf(ctx, b))); // x - (k ++ y) -> (x - 0 ++ y) - (k ++ 0)
  // k - ~x -> x + (k + 1)
  if (a->isConst() && b->kind() == Kind::Not)
    return ctx.add(b->op(0), ctx.add(a, ctx.neg(ctx.bvNot(zero(ctx, a->width())))));
  return nullptr;
}

ExprPtr rewriteMul(ExprContext &ctx, ExprPtr &a, ExprPtr &b) {
  if (!b->isConst()) return nullptr;
  const unsigned width = a->width();
  llvm::APInt k = toAPInt(b);
  if (k.isZero()) return b;
  if (k.isOne()) return a;
  if (k.isAllOnes()) return ctx.neg(a);
  if (k.isPowerOf2()) return ctx.shl(a, constantOf(ctx, llvm::APInt(width, k.logBase2())));
  if (endsInConst(a, Kind::Mul))
    return ctx.mul(a->op(0), ctx.mul(a->op(1), b)); // (x * k1) * k2 -> x * k12
  // (x + k1) * k2 -> x * k2 + k1 * k2: index arithmetic folds its constants
  if (endsInConst(a, Kind::Add)) return ctx.add(ctx.mul(a->op(0), b), ctx.mul(a->op(1), b));
  return nullptr;
}

ExprPtr rewriteDivRem(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b) {
  const unsigned width = a->width();
  const bool isRem = kind == Kind::URem || kind == Kind::SRem;
  const bool isSigned = kind == Kind::SDiv || kind == Kind::SRem;
  if (!b->isConst()) return nullptr;
  llvm::APInt k = toAPInt(b);
  if (k.isZero()) { // SMT-LIB: x / 0 is all ones, x % 0 is x
    if (isRem) return a;
    return isSigned ? nullptr : ctx.bvNot(b);
  }
  if (k.isOne()) return isRem ? zero(ctx, width) : a;
  if (isSigned && k.isAllOnes()) return isRem ? zero(ctx, width) : ctx.neg(a);
  if (isSigned) {
    // Both known not to be negative: the unsigned operation.
    if (width <= 64 && !k.isNegative() && (factsOf(a, 3).zeros >> (width - 1) & 1))
      return ctx.binary(isRem ? Kind::URem : Kind::UDiv, a, b);
    return nullptr;
  }
  if (k.isPowerOf2()) {
    unsigned n = k.logBase2();
    if (isRem) return ctx.zext(ctx.extract(a, 0, n), width);    // x % 2^n -> x[n-1:0]
    return ctx.lshr(a, constantOf(ctx, llvm::APInt(width, n))); // x / 2^n -> x >> n
  }
  if (width <= 64 && factsOf(a, 3).max < k.getZExtValue()) return isRem ? a : zero(ctx, width);
  // zext(x) / k -> zext(x / k'), k < 2^n (a larger k was decided just now)
  if (a->kind() == Kind::ZExt && k.getActiveBits() <= a->op(0)->width()) {
    unsigned n = a->op(0)->width();
    return ctx.zext(ctx.binary(kind, a->op(0), ctx.extract(b, 0, n)), width);
  }
  return nullptr;
}

} // namespace fathom::expr
