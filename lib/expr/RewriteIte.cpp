// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for Ite: Boolean arms become logic, 0/1 arms become extensions of the condition, and
// operations on constant arms are done in the arms, which dissolves most of what state merging and
// select instructions leave behind.
#include "expr/Rules.h"

namespace fathom::expr {

ExprPtr rewriteIte(ExprContext &ctx, ExprPtr c, ExprPtr t, ExprPtr e) {
  const unsigned width = t->width();
  // ite(!c, t, e) -> ite(c, e, t)
  if (c->kind() == Kind::Not) return ctx.ite(c->op(0), e, t);
  if (width == 1) {
    if (t->isConst()) return t->value() ? ctx.bvOr(c, e) : ctx.bvAnd(ctx.bvNot(c), e);
    if (e->isConst()) return e->value() ? ctx.bvOr(ctx.bvNot(c), t) : ctx.bvAnd(c, t);
    if (t == c) return ctx.bvOr(c, e);
    if (e == c) return ctx.bvAnd(c, t);
    if (areComplements(t, e)) return ctx.bvNot(ctx.bvXor(c, t)); // ite(c, t, !t) -> c = t
  } else {
    // ite(c, 1, 0) -> zext(c); ite(c, -1, 0) -> sext(c); and with the arms exchanged
    if (isZero(e) && isOne(t)) return ctx.zext(c, width);
    if (isZero(e) && isAllOnes(t)) return ctx.sext(c, width);
    if (isZero(t) && isOne(e)) return ctx.zext(ctx.bvNot(c), width);
    if (isZero(t) && isAllOnes(e)) return ctx.sext(ctx.bvNot(c), width);
  }
  // ite(c, ite(c, a, b), e) -> ite(c, a, e); ite(c, t, ite(c, a, b)) -> ite(c, t, b)
  if (t->kind() == Kind::Ite && t->op(0) == c) return ctx.ite(c, t->op(1), e);
  if (e->kind() == Kind::Ite && e->op(0) == c) return ctx.ite(c, t, e->op(2));
  // ite(c, a, ite(d, a, b)) -> ite(c | d, a, b), and its three mirror images
  if (e->kind() == Kind::Ite) {
    if (e->op(1) == t) return ctx.ite(ctx.bvOr(c, e->op(0)), t, e->op(2));
    if (e->op(2) == t) return ctx.ite(ctx.bvAnd(ctx.bvNot(c), e->op(0)), e->op(1), t);
  }
  if (t->kind() == Kind::Ite) {
    if (t->op(2) == e) return ctx.ite(ctx.bvAnd(c, t->op(0)), t->op(1), e);
    if (t->op(1) == e) return ctx.ite(ctx.bvAnd(c, ctx.bvNot(t->op(0))), t->op(2), e);
  }
  // ite(x = k, x, e) -> ite(x = k, k, e); ite(x = k, k, x) -> x
  if (c->kind() == Kind::Eq) {
    if (c->op(1)->isConst() && t == c->op(0)) return ctx.ite(c, c->op(1), e);
    if ((t == c->op(1) && e == c->op(0)) || (t == c->op(0) && e == c->op(1))) return e;
  }
  // ite(c, zext(x), zext(y)) -> zext(ite(c, x, y)); a constant that fits counts as extended
  for (Kind ext : {Kind::ZExt, Kind::SExt}) {
    if (t->kind() != ext && e->kind() != ext) continue;
    unsigned n = t->kind() == ext ? t->op(0)->width() : e->op(0)->width();
    auto narrow = [&](ExprPtr x) -> ExprPtr {
      if (x->kind() == ext) return x->op(0)->width() == n ? x->op(0) : nullptr;
      if (!x->isConst()) return nullptr;
      ExprPtr low = ctx.extract(x, 0, n);
      return (ext == Kind::ZExt ? ctx.zext(low, width) : ctx.sext(low, width)) == x ? low : nullptr;
    };
    ExprPtr nt = narrow(t), ne = narrow(e);
    if (!nt || !ne) continue;
    ExprPtr inner = ctx.ite(c, nt, ne);
    return ext == Kind::ZExt ? ctx.zext(inner, width) : ctx.sext(inner, width);
  }
  // ite(c, a ++ x, a ++ y) -> a ++ ite(c, x, y); ite(c, x ++ a, y ++ a) -> ite(c, x, y) ++ a
  if (t->kind() == Kind::Concat && e->kind() == Kind::Concat) {
    if (t->op(0) == e->op(0)) return ctx.concat(t->op(0), ctx.ite(c, t->op(1), e->op(1)));
    if (t->op(1) == e->op(1)) return ctx.concat(ctx.ite(c, t->op(0), e->op(0)), t->op(1));
  }
  return nullptr;
}

/// a op b, where one of them is an Ite with constant arms and the other is a constant or an Ite on
/// the same condition; and predicates on an Ite with one constant arm.
ExprPtr rewriteIteArms(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b) {
  const bool iteA = a->kind() == Kind::Ite, iteB = b->kind() == Kind::Ite;
  if (!iteA && !iteB) return nullptr;
  if ((isConstIte(a) || a->isConst()) && (isConstIte(b) || b->isConst())) {
    // ite(c, k1, k2) op k -> ite(c, k1 op k, k2 op k)
    if (iteA && iteB && a->op(0) != b->op(0)) return nullptr;
    auto arm = [](ExprPtr e, unsigned i) { return e->isConst() ? e : e->op(i); };
    return ctx.ite(iteA ? a->op(0) : b->op(0), ctx.binary(kind, arm(a, 1), arm(b, 1)),
                   ctx.binary(kind, arm(a, 2), arm(b, 2)));
  }
  if (!isPredicate(kind) || (!a->isConst() && !b->isConst())) return nullptr;
  // ite(c, x, k1) < k -> c & x < k, or !c | x < k
  ExprPtr select = iteA ? a : b;
  const unsigned constArm = select->op(1)->isConst() ? 1 : 2;
  if (!select->op(constArm)->isConst()) return nullptr;
  auto compare = [&](unsigned i) {
    return iteA ? ctx.binary(kind, select->op(i), b) : ctx.binary(kind, a, select->op(i));
  };
  bool decided = compare(constArm)->isTrue();
  ExprPtr takesConst = constArm == 1 ? select->op(0) : ctx.bvNot(select->op(0));
  ExprPtr rest = compare(3 - constArm);
  return decided ? ctx.bvOr(takesConst, rest) : ctx.bvAnd(ctx.bvNot(takesConst), rest);
}

} // namespace fathom::expr
