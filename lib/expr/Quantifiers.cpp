// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/Quantifiers.h"

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
    if (known.max < range)
      return forall(known.max, count, instance(*this, body, range, bound(known.max)));
    // forall i <= n. p -> n == 0 or p, where p does not depend on i
    if (!body->has(kIsOpen)) return bvOr(eq(count, constant(0, 64)), body);
    // forall i <= n of the range 1. p(i) -> n == 0 or p(1)
    if (range == 1)
      return bvOr(eq(count, constant(0, 64)), instance(*this, body, range, constant(1, 64)));
  } else if (range == 0) {
    return trueExpr();
  }
  return nodes().intern(Kind::Forall, 1, range, count, body);
}

ExprPtr countedOut(ExprContext &context, ExprPtr e) {
  if (e->kind() != Kind::Forall || !e->op(0)->isConst()) return e;
  ExprPtr all = context.trueExpr();
  const uint64_t count = std::min(e->op(0)->value(), e->range());
  for (uint64_t i = 1; i <= count; ++i)
    all = context.bvAnd(all, instance(context, e, context.constant(i, 64)));
  return all;
}

ExprPtr instance(ExprContext &context, ExprPtr forall, ExprPtr number) {
  assert(forall->kind() == Kind::Forall && "has no body");
  return instance(context, forall->op(1), forall->range(), number);
}

ExprPtr instance(ExprContext &context, ExprPtr body, uint64_t range, ExprPtr number) {
  TermImages image;
  image[context.bound(range)] = number;
  return context.substitute(body, image, /*onlyOpen=*/true);
}

ExprPtr expand(ExprContext &context, ExprPtr e) {
  if (!e->has(kHasForall)) return e;
  std::vector<ExprPtr> outermost;
  TermVisitor visitor;
  visitPreOrder(e, visitor, [&](ExprPtr t) {
    if (t->kind() == Kind::Forall) outermost.push_back(t);
    return t->has(kHasForall) && t->kind() != Kind::Forall;
  });
  TermImages image;
  for (ExprPtr f : outermost) {
    ExprPtr count = expand(context, f->op(0)), all = context.trueExpr();
    for (uint64_t i = 1; i <= f->range(); ++i) {
      ExprPtr number = context.constant(i, 64);
      all = context.bvAnd(all, context.bvOr(context.ult(count, number),
                                            expand(context, instance(context, f, number))));
    }
    image[f] = all;
  }
  return context.substitute(e, image);
}

} // namespace fathom::expr
