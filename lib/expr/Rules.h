// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/expr: the rules, and what they ask about terms.
//
// A rule is a function that returns the simplified term, or null when it does not match; it may
// also reorder or strengthen its operands in place. Rules call the public builders for their
// right-hand sides, so they compose. Depth bounds that recursion: a rule that would go deeper than
// kMaxRewriteDepth just does not match, which keeps the C++ stack safe on terms of any height.
#ifndef FATHOM_EXPR_RULES_H
#define FATHOM_EXPR_RULES_H

#include "expr/ExprContext.h"
#include "expr/FloatFold.h"
#include "expr/Fold.h"

#include <cassert>

namespace fathom::expr {

constexpr unsigned kMaxRewriteDepth = 48;
/// One level of rewriting for the lifetime of this object.
struct ExprContext::Deeper {
  explicit Deeper(ExprContext &context) : context(context) { ++context.depth_; }
  ~Deeper() { --context.depth_; }
  bool fine() const { return context.depth_ <= kMaxRewriteDepth; }
  ExprContext &context;
};

inline ExprPtr constantOf(ExprContext &ctx, const llvm::APInt &value) {
  return ctx.constantWide({value.getRawData(), value.getNumWords()}, value.getBitWidth());
}
inline ExprPtr zero(ExprContext &ctx, unsigned width) {
  return width <= 64 ? ctx.constant(0, width) : constantOf(ctx, llvm::APInt::getZero(width));
}

// --- rules, one family per file

// RewriteIte.cpp
ExprPtr rewriteIteArms(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b);
ExprPtr rewriteIte(ExprContext &ctx, ExprPtr cond, ExprPtr thenE, ExprPtr elseE);

// RewriteSlices.cpp
ExprPtr rewriteConcat(ExprContext &ctx, ExprPtr high, ExprPtr low);
ExprPtr rewriteExtract(ExprContext &ctx, ExprPtr e, unsigned low, unsigned width);
ExprPtr rewriteZExt(ExprContext &ctx, ExprPtr e, unsigned width);
ExprPtr rewriteSExt(ExprContext &ctx, ExprPtr e, unsigned width);
ExprPtr mergePieces(ExprContext &ctx, ExprPtr a, ExprPtr b);

// RewriteBits.cpp
ExprPtr rewriteNot(ExprContext &ctx, ExprPtr e);
ExprPtr rewriteAnd(ExprContext &ctx, ExprPtr &a, ExprPtr &b);
ExprPtr rewriteOr(ExprContext &ctx, ExprPtr &a, ExprPtr &b);
ExprPtr rewriteXor(ExprContext &ctx, ExprPtr &a, ExprPtr &b);
ExprPtr rewriteShift(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b);
ExprPtr rewriteOneBit(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b);

// RewriteArith.cpp
ExprPtr rewriteAdd(ExprContext &ctx, ExprPtr &a, ExprPtr &b);
ExprPtr rewriteSub(ExprContext &ctx, ExprPtr &a, ExprPtr &b);
ExprPtr rewriteMul(ExprContext &ctx, ExprPtr &a, ExprPtr &b);
ExprPtr rewriteDivRem(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b);

// RewriteCompare.cpp
ExprPtr rewriteEq(ExprContext &ctx, ExprPtr &a, ExprPtr &b);
ExprPtr rewriteUlt(ExprContext &ctx, ExprPtr a, ExprPtr b);
ExprPtr rewriteSlt(ExprContext &ctx, ExprPtr a, ExprPtr b);
ExprPtr rewriteUle(ExprContext &ctx, ExprPtr a, ExprPtr b);
ExprPtr rewriteSle(ExprContext &ctx, ExprPtr a, ExprPtr b);

// RewriteArrays.cpp
ExprPtr rewriteRead(ExprContext &ctx, ExprPtr &array, ExprPtr index);

// RewriteFloat.cpp
ExprPtr rewriteFloat(ExprContext &ctx, const FloatOperation &o, ExprPtr a, ExprPtr b);

// RewriteFCompare.cpp
ExprPtr rewriteFloatCompare(ExprContext &ctx, Kind kind, ExprPtr a, ExprPtr b);

// --- what rules ask about a term
// --------------------------------------------------------------------
/// Canonical order of a commutative operation: constants last, otherwise by structural hash. On a
/// collision of hashes the order stays as given, which is still the same in every run.
inline bool inOrder(ExprPtr a, ExprPtr b) {
  if (a->isConst() != b->isConst()) return b->isConst();
  return a->hash() <= b->hash();
}
inline bool isZero(ExprPtr e) {
  if (!e->isConst()) return false;
  if (e->width() <= 64) return e->value() == 0;
  return toAPInt(e).isZero();
}
inline bool isAllOnes(ExprPtr e) {
  if (!e->isConst()) return false;
  if (e->width() <= 64) return e->value() == lowMask(e->width());
  return toAPInt(e).isAllOnes();
}
inline bool isOne(ExprPtr e) {
  if (!e->isConst()) return false;
  if (e->width() <= 64) return e->value() == 1;
  return toAPInt(e).isOne();
}
/// An Ite whose arms are both constants.
inline bool isConstIte(ExprPtr e) {
  return e->kind() == Kind::Ite && e->op(1)->isConst() && e->op(2)->isConst();
}
/// One is the negation of the other: by a Not, or as an order and its reverse (x < y, y <= x; x <
/// k, k-1 < x).
inline bool areComplements(ExprPtr e, ExprPtr f) {
  if (e->kind() == Kind::Not) return e->op(0) == f;
  if (f->kind() == Kind::Not) return f->op(0) == e;
  if (!isPredicate(e->kind()) || !isPredicate(f->kind()) || e->kind() == Kind::Eq) return false;
  const bool isSigned = e->kind() == Kind::Slt || e->kind() == Kind::Sle;
  const Kind strict = isSigned ? Kind::Slt : Kind::Ult, weak = isSigned ? Kind::Sle : Kind::Ule;
  if ((e->kind() == strict && f->kind() == weak) || (e->kind() == weak && f->kind() == strict))
    return e->op(0) == f->op(1) && e->op(1) == f->op(0);
  if (e->kind() != strict || f->kind() != strict || e->op(0)->width() > 64) return false;
  if (!e->op(1)->isConst()) std::swap(e, f);
  // e: x < k, f: k - 1 < x, where k - 1 does not wrap. (x < 0, signed x < min, is folded; but not
  // beyond the depth limit.)
  if (!e->op(1)->isConst() || !f->op(0)->isConst() || e->op(0) != f->op(1)) return false;
  const unsigned width = e->op(0)->width();
  const uint64_t k = e->op(1)->value(), least = isSigned ? uint64_t(1) << (width - 1) : 0;
  return k != least && f->op(0)->value() == k - 1;
}

} // namespace fathom::expr
#endif
