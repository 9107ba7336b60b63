// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounded quantifiers: forall i. 1 <= i <= min(count, range) -> body(i). The range is a number and
// belongs to the binder, so each formula is decidable by expansion, the values that i can have are
// known to Facts, and evaluation is exact.
//
// There is one variable: Bound(range). A Forall binds those of its range that no Forall between
// binds, and it is closed: no body depends on the number of a Forall further out. So nothing can be
// captured, formulas that differ in the names of variables are the same node, and whoever replaces
// the number stops at closed terms.
//
// Source: [merging23] Def. 3.7, the quantified clauses of merged path conditions.
#include "expr/Facts.h"
#include "expr/NodeTable.h"
#include "expr/Rules.h"
#include "expr/TermVisitor.h"

namespace fathom::expr {

ExprPtr ExprContext::bound(uint64_t range) {
  assert(range > 0 && "counts nothing");
  return nodes().intern(Kind::Bound, 64, range);
}

ExprPtr ExprContext::forall(uint64_t range, ExprPtr count, ExprPtr body) {
  assert(count->width() == 64 && body->isBool() && !count->has(kIsOpen) && "a count is closed");
  if (options_.simplify) {
    // forall i <= 0. p -> true; forall i. true -> true
    if (range == 0 || count->isConst(0) || body->isTrue()) return trueExpr();
    // forall i <= c. p(i) -> forall i <= c of the range c, where c < range
    const Facts known = factsOf(count);
    if (known.max == 0) return trueExpr();
    if (known.max < range) return forall(known.max, count, instance(body, range, bound(known.max)));
    // forall i <= n. p -> n == 0 or p, where p does not depend on i
    if (!body->has(kIsOpen)) return bvOr(eq(count, constant(0, 64)), body);
    // forall i <= n of the range 1. p(i) -> n == 0 or p(1)
    if (range == 1) return bvOr(eq(count, constant(0, 64)), instance(body, range, constant(1, 64)));
  } else if (range == 0) {
    return trueExpr();
  }
  return nodes().intern(Kind::Forall, 1, range, count, body);
}

ExprPtr ExprContext::instance(ExprPtr forall, ExprPtr number) {
  assert(forall->kind() == Kind::Forall && "has no body");
  return instance(forall->op(1), forall->range(), number);
}

ExprPtr ExprContext::instance(ExprPtr body, uint64_t range, ExprPtr number) {
  TermImages image;
  image[bound(range)] = number;
  return substituteOpen(body, image);
}

ExprPtr ExprContext::expand(ExprPtr e) {
  if (!e->has(kHasForall)) return e;
  std::vector<ExprPtr> outermost;
  TermVisitor visitor;
  visitPreOrder(e, visitor, [&](ExprPtr t) {
    if (t->kind() == Kind::Forall) outermost.push_back(t);
    return t->has(kHasForall) && t->kind() != Kind::Forall;
  });
  TermImages image;
  for (ExprPtr f : outermost) {
    ExprPtr count = expand(f->op(0)), all = trueExpr();
    for (uint64_t i = 1; i <= f->range(); ++i) {
      ExprPtr number = constant(i, 64);
      all = bvAnd(all, bvOr(ult(count, number), expand(instance(f, number))));
    }
    image[f] = all;
  }
  return substitute(e, image);
}

} // namespace fathom::expr
