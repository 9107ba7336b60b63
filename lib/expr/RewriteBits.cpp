// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for Not, And, Or, Xor and shifts, at width 1 also the Boolean algebra. Shifts by constants
// and masks that are one run of ones become slices (RewriteSlices.cpp), where they meet byte-wise
// memory.
#include "expr/Facts.h"
#include "expr/Rules.h"

#include <llvm/Support/MathExtras.h>

namespace fathom::expr {

// --- width 1
// ------------------------------------------------------------------------------------------------

/// Arithmetic on single bits is logic; afterwards only Not, And, Or, Xor, Eq are left at width 1.
ExprPtr rewriteOneBit(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b) {
  switch (kind) {
  case Kind::Add:
  case Kind::Sub: return ctx.bvXor(a, b);
  case Kind::Mul: return ctx.bvAnd(a, b);
  case Kind::UDiv: // x / 0 = 1, x / 1 = x
  case Kind::SDiv:
    return ctx.bvOr(a, ctx.bvNot(b)); // 0 / 0 = -1, -1 / 0 = 1 = -1 (mod 2), x / -1 = x
  case Kind::URem:                    // x % 0 = x, x % 1 = 0
  case Kind::SRem:
  case Kind::Shl:
  case Kind::LShr: return ctx.bvAnd(a, ctx.bvNot(b));
  case Kind::AShr: return a;
  case Kind::Eq: return ctx.bvNot(ctx.bvXor(a, b));
  case Kind::Ult: return ctx.bvAnd(ctx.bvNot(a), b);
  case Kind::Ule: return ctx.bvOr(ctx.bvNot(a), b);
  case Kind::Slt: return ctx.bvAnd(a, ctx.bvNot(b)); // 1 is -1
  case Kind::Sle: return ctx.bvOr(a, ctx.bvNot(b));
  default: return nullptr;
  }
}

// --- Not
// ------------------------------------------------------------------------------------------------------

ExprPtr rewriteNot(ExprContext &ctx, ExprPtr e) {
  switch (e->kind()) {
  case Kind::Not: return e->op(0);                    // ~~x -> x
  case Kind::Ult: return ctx.ule(e->op(1), e->op(0)); // !(a < b) -> b <= a
  case Kind::Ule: return ctx.ult(e->op(1), e->op(0));
  case Kind::Slt: return ctx.sle(e->op(1), e->op(0));
  case Kind::Sle: return ctx.slt(e->op(1), e->op(0));
  case Kind::Or:
    // !(a | b) -> !a & !b: a collector of constraints can split a conjunction
    return e->width() == 1 ? ctx.bvAnd(ctx.bvNot(e->op(0)), ctx.bvNot(e->op(1))) : nullptr;
  case Kind::Xor: // ~(x ^ k) -> x ^ ~k
    return e->op(1)->isConst() ? ctx.bvXor(e->op(0), ctx.bvNot(e->op(1))) : nullptr;
  case Kind::Ite: // ~ite(c, k1, k2) -> ite(c, ~k1, ~k2)
    return isConstIte(e) ? ctx.ite(e->op(0), ctx.bvNot(e->op(1)), ctx.bvNot(e->op(2))) : nullptr;
  case Kind::SExt: // ~sext(b) -> sext(~b) for single bits
    return e->op(0)->width() == 1 ? ctx.sext(ctx.bvNot(e->op(0)), e->width()) : nullptr;
  default: return nullptr;
  }
}

// --- And
// ------------------------------------------------------------------------------------------------------

/// e's operands are x and something (for chains of one associative kind); looks `budget` links down
/// the left spine and one down the right.
static bool chainHas(ExprPtr chain, Kind kind, ExprPtr x, unsigned budget = 6) {
  for (; budget && chain->kind() == kind; --budget, chain = chain->op(0))
    if (chain->op(0) == x || chain->op(1) == x) return true;
  return false;
}

static bool isEqConst(ExprPtr e) { return e->kind() == Kind::Eq && e->op(1)->isConst(); }

/// Implications between two Booleans that compare the same term with constants. Null, or the
/// conjunction.
static ExprPtr conjoinSameTerm(ExprContext &ctx, ExprPtr a, ExprPtr b) {
  if (isEqConst(a) && isEqConst(b) && a->op(0) == b->op(0))
    return ctx.falseExpr(); // x = k1 & x = k2
  for (int swap = 0; swap < 2; ++swap, std::swap(a, b)) {
    if (!isEqConst(a)) continue;
    ExprPtr x = a->op(0), k = a->op(1);
    bool negated = b->kind() == Kind::Not;
    ExprPtr atom = negated ? b->op(0) : b;
    if (atom->numOps() != 2 || !isPredicate(atom->kind())) continue;
    if (atom->op(0) != x && atom->op(1) != x) continue;
    ExprPtr left = atom->op(0) == x ? k : atom->op(0), right = atom->op(1) == x ? k : atom->op(1);
    if (!left->isConst() || !right->isConst()) continue;
    // x = k & p(x) -> x = k or false, as p(k) says
    bool holds = ctx.binary(atom->kind(), left, right)->isTrue() != negated;
    return holds ? a : ctx.falseExpr();
  }
  return nullptr;
}

ExprPtr rewriteAnd(ExprContext &ctx, ExprPtr &a, ExprPtr &b) {
  const unsigned width = a->width();
  if (a == b) return a;
  if (areComplements(a, b)) return zero(ctx, width); // x & ~x -> 0
  if (isZero(b)) return b;
  if (isAllOnes(b)) return a;
  for (int swap = 0; swap < 2; ++swap) {
    ExprPtr x = swap ? b : a, y = swap ? a : b;
    if (y->kind() == Kind::Or) {
      if (y->op(0) == x || y->op(1) == x) return x;                   // x & (x | z) -> x
      if (areComplements(y->op(0), x)) return ctx.bvAnd(x, y->op(1)); // x & (~x | z) -> x & z
      if (areComplements(y->op(1), x)) return ctx.bvAnd(x, y->op(0));
    }
    if (y->kind() == Kind::And) {
      if (chainHas(y, Kind::And, x)) return y; // x & (x & z) -> x & z
      if (areComplements(y->op(0), x) || areComplements(y->op(1), x)) return zero(ctx, width);
    }
    // x & ~(x & z) -> x & ~z
    if (y->kind() == Kind::Not && y->op(0)->kind() == Kind::And) {
      ExprPtr n = y->op(0);
      if (n->op(0) == x) return ctx.bvAnd(x, ctx.bvNot(n->op(1)));
      if (n->op(1) == x) return ctx.bvAnd(x, ctx.bvNot(n->op(0)));
    }
  }
  if (width == 1) return conjoinSameTerm(ctx, a, b);

  // zext(x) & zext(y) -> zext(x & y); zext(x) & k -> zext(x & k')
  if (a->kind() == Kind::ZExt && (b->isConst() || b->kind() == Kind::ZExt)) {
    unsigned inner =
        b->isConst() ? a->op(0)->width() : std::min(a->op(0)->width(), b->op(0)->width());
    return ctx.zext(ctx.bvAnd(ctx.extract(a, 0, inner), ctx.extract(b, 0, inner)), width);
  }
  if (!b->isConst()) return nullptr;

  // (x & k1) & k2 -> x & (k1 & k2)
  if (a->kind() == Kind::And && a->op(1)->isConst())
    return ctx.bvAnd(a->op(0), ctx.bvAnd(a->op(1), b));
  // (x | k1) & k2 -> x & k2 when k1 and k2 share no bit
  if (a->kind() == Kind::Or && a->op(1)->isConst() && isZero(ctx.bvAnd(a->op(1), b)))
    return ctx.bvAnd(a->op(0), b);
  // (h ++ l) & (kh ++ kl) -> (h & kh) ++ (l & kl) when one half is kept or dropped as a whole
  if (a->kind() == Kind::Concat) {
    unsigned n = a->op(1)->width();
    ExprPtr kh = ctx.extract(b, n, width - n), kl = ctx.extract(b, 0, n);
    if (isZero(kh) || isAllOnes(kh) || isZero(kl) || isAllOnes(kl))
      return ctx.concat(ctx.bvAnd(a->op(0), kh), ctx.bvAnd(a->op(1), kl));
  }
  if (width > 64) return nullptr;
  const uint64_t mask = b->value();
  // x & k -> x or 0 when the known bits of x say so
  Facts facts = factsOf(a, 2);
  if (!(~mask & ~facts.zeros)) return a;
  if (!(mask & ~facts.zeros)) return zero(ctx, width);
  // x & 0..01..10..0 -> 0 ++ x[..] ++ 0
  if (unsigned low, length; llvm::isShiftedMask_64(mask, low, length)) {
    ExprPtr slice = ctx.extract(a, low, length);
    return ctx.zext(low ? ctx.concat(slice, ctx.constant(0, low)) : slice, width);
  }
  return nullptr;
}

// --- Or
// -------------------------------------------------------------------------------------------------------

ExprPtr rewriteOr(ExprContext &ctx, ExprPtr &a, ExprPtr &b) {
  const unsigned width = a->width();
  if (a == b) return a;
  if (areComplements(a, b)) return ctx.bvNot(zero(ctx, width));
  if (isZero(b)) return a;
  if (isAllOnes(b)) return b;
  for (int swap = 0; swap < 2; ++swap) {
    ExprPtr x = swap ? b : a, y = swap ? a : b;
    if (y->kind() == Kind::And) {
      if (y->op(0) == x || y->op(1) == x) return x;                  // x | (x & z) -> x
      if (areComplements(y->op(0), x)) return ctx.bvOr(x, y->op(1)); // x | (~x & z) -> x | z
      if (areComplements(y->op(1), x)) return ctx.bvOr(x, y->op(0));
    }
    if (y->kind() == Kind::Or) {
      if (chainHas(y, Kind::Or, x)) return y;
      if (areComplements(y->op(0), x) || areComplements(y->op(1), x))
        return ctx.bvNot(zero(ctx, width));
    }
    if (y->kind() == Kind::Not && y->op(0)->kind() == Kind::And &&
        (y->op(0)->op(0) == x || y->op(0)->op(1) == x))
      return ctx.bvNot(zero(ctx, width)); // x | ~(x & z) -> ~0
  }
  if (width == 1) {
    // !a | !b -> !(a & b)
    if (a->kind() == Kind::Not && b->kind() == Kind::Not)
      return ctx.bvNot(ctx.bvAnd(a->op(0), b->op(0)));
    // x != k1 | x != k2 is caught above: both are Not, and the conjunction folds.
    return nullptr;
  }
  // zext(x) | zext(y) -> zext(x | y); with a constant that fits too
  if (a->kind() == Kind::ZExt) {
    unsigned inner = a->op(0)->width();
    if (b->kind() == Kind::ZExt) {
      unsigned both = std::max(inner, b->op(0)->width());
      return ctx.zext(ctx.bvOr(ctx.zext(a->op(0), both), ctx.zext(b->op(0), both)), width);
    }
    if (b->isConst() && isZero(ctx.extract(b, inner, width - inner)))
      return ctx.zext(ctx.bvOr(a->op(0), ctx.extract(b, 0, inner)), width);
  }
  // (x | k1) | k2 -> x | (k1 | k2)
  if (b->isConst() && a->kind() == Kind::Or && a->op(1)->isConst())
    return ctx.bvOr(a->op(0), ctx.bvOr(a->op(1), b));
  return mergePieces(ctx, a, b);
}

// --- Xor
// ------------------------------------------------------------------------------------------------------

ExprPtr rewriteXor(ExprContext &ctx, ExprPtr &a, ExprPtr &b) {
  const unsigned width = a->width();
  if (a == b) return zero(ctx, width);
  if (areComplements(a, b)) return ctx.bvNot(zero(ctx, width));
  if (isZero(b)) return a;
  if (isAllOnes(b)) return ctx.bvNot(a);
  // ~x ^ y -> ~(x ^ y); ~x ^ k -> x ^ ~k
  if (a->kind() == Kind::Not && b->isConst()) return ctx.bvXor(a->op(0), ctx.bvNot(b));
  if (a->kind() == Kind::Not) return ctx.bvNot(ctx.bvXor(a->op(0), b));
  if (b->kind() == Kind::Not) return ctx.bvNot(ctx.bvXor(a, b->op(0)));
  for (int swap = 0; swap < 2; ++swap) {
    ExprPtr x = swap ? b : a, y = swap ? a : b;
    if (y->kind() != Kind::Xor) continue;
    if (y->op(0) == x) return y->op(1); // x ^ (x ^ z) -> z
    if (y->op(1) == x) return y->op(0);
  }
  // (x ^ k1) ^ k2 -> x ^ (k1 ^ k2)
  if (b->isConst() && a->kind() == Kind::Xor && a->op(1)->isConst())
    return ctx.bvXor(a->op(0), ctx.bvXor(a->op(1), b));
  if (width == 1) return nullptr;
  if (a->kind() == Kind::ZExt) {
    unsigned inner = a->op(0)->width();
    if (b->kind() == Kind::ZExt) {
      unsigned both = std::max(inner, b->op(0)->width());
      return ctx.zext(ctx.bvXor(ctx.zext(a->op(0), both), ctx.zext(b->op(0), both)), width);
    }
    if (b->isConst() && isZero(ctx.extract(b, inner, width - inner)))
      return ctx.zext(ctx.bvXor(a->op(0), ctx.extract(b, 0, inner)), width);
  }
  return mergePieces(ctx, a, b);
}

// --- shifts
// ---------------------------------------------------------------------------------------------------

ExprPtr rewriteShift(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b) {
  const unsigned width = a->width();
  if (isZero(a)) return a;
  if (kind == Kind::AShr && isAllOnes(a)) return a;
  if (!b->isConst()) {
    if (kind == Kind::AShr && width <= 64 && (factsOf(a, 2).zeros >> (width - 1) & 1))
      return ctx.lshr(a, b);
    return nullptr;
  }
  llvm::APInt amount = toAPInt(b);
  if (amount.isZero()) return a;
  if (amount.uge(width)) {
    if (kind != Kind::AShr) return zero(ctx, width);
    return ctx.sext(ctx.extract(a, width - 1, 1), width);
  }
  const auto n = static_cast<unsigned>(amount.getZExtValue());
  switch (kind) {
  case Kind::Shl: // x << n -> x[w-n-1:0] ++ 0
    return ctx.concat(ctx.extract(a, 0, width - n), zero(ctx, n));
  case Kind::LShr: // x >> n -> zext(x[w-1:n])
    return ctx.zext(ctx.extract(a, n, width - n), width);
  default: // x >>s n -> sext(x[w-1:n])
    return ctx.sext(ctx.extract(a, n, width - n), width);
  }
}

} // namespace fathom::expr
