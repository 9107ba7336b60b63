// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules for taking terms apart and putting them together: Concat, Extract, ZExt, SExt. Memory is
// bytes and registers are words, so almost every term of a real program passes through here twice;
// the rules make a word that was stored byte by byte and loaded again the same node as before.
//
// Canonical forms: Concat nests to the right, `0 ++ x` is ZExt, and extensions are pulled outwards.
#include "expr/Facts.h"
#include "expr/Rules.h"

namespace fathom::expr {

ExprPtr rewriteConcat(ExprContext &ctx, ExprPtr high, ExprPtr low) {
  const unsigned width = high->width() + low->width();
  // 0 ++ x -> zext(x)
  if (isZero(high)) return ctx.zext(low, width);
  // (a ++ b) ++ c -> a ++ (b ++ c)
  if (high->kind() == Kind::Concat) return ctx.concat(high->op(0), ctx.concat(high->op(1), low));
  // zext(h) ++ l -> zext(h ++ l)
  if (high->kind() == Kind::ZExt) return ctx.zext(ctx.concat(high->op(0), low), width);

  // x[j+m-1 : j] ++ x[j-1 : i] -> x[j+m-1 : i], also with something below. The lower slice need not
  // look like one any more (x = zext(b) + k: its low byte is b + k'), so it is compared with what
  // slicing x gives.
  auto joined = [&ctx](ExprPtr h, ExprPtr l) -> ExprPtr {
    if (h->kind() != Kind::Extract || h->offset() < l->width()) return nullptr;
    ExprPtr base = h->op(0);
    const unsigned from = h->offset() - l->width();
    if (l->kind() == Kind::Extract && l->op(0) == base) {
      if (l->offset() != from) return nullptr;
    } else if (ctx.extract(base, from, l->width()) != l) {
      return nullptr;
    }
    return ctx.extract(base, from, h->width() + l->width());
  };
  if (ExprPtr r = joined(high, low)) return r;
  if (low->kind() == Kind::Concat) {
    if (ExprPtr r = joined(high, low->op(0))) return ctx.concat(r, low->op(1));
    // k1 ++ (k2 ++ x) -> k12 ++ x
    if (high->isConst() && low->op(0)->isConst())
      return ctx.concat(ctx.concat(high, low->op(0)), low->op(1));
  }
  // copies of x's top bit ++ x -> sext(x)
  if (high->kind() == Kind::SExt && high->op(0)->width() == 1 &&
      high->op(0) == ctx.extract(low, low->width() - 1, 1))
    return ctx.sext(low, width);
  // ~x ++ ~y -> ~(x ++ y)
  if (high->kind() == Kind::Not && low->kind() == Kind::Not)
    return ctx.bvNot(ctx.concat(high->op(0), low->op(0)));
  // ite(c, k1, k2) ++ ite(c, k3, k4) -> ite(c, k13, k24); with a constant on either side too
  auto arm = [](ExprPtr e, unsigned i) { return e->isConst() ? e : e->op(i); };
  if ((isConstIte(high) || high->isConst()) && (isConstIte(low) || low->isConst())) {
    ExprPtr cond = isConstIte(high) ? high->op(0) : low->op(0);
    if (!isConstIte(high) || !isConstIte(low) || high->op(0) == low->op(0))
      return ctx.ite(cond, ctx.concat(arm(high, 1), arm(low, 1)),
                     ctx.concat(arm(high, 2), arm(low, 2)));
  }
  return nullptr;
}

/// True when taking low bits of e gives something no larger than e: the test for pushing an Extract
/// inwards.
static bool cheapToSlice(ExprPtr e, unsigned width) {
  switch (e->kind()) {
  case Kind::Const: return true;
  case Kind::ZExt:
  case Kind::SExt: return true;
  case Kind::Concat: return e->op(1)->width() >= width;
  case Kind::Extract: return true;
  default: return false;
  }
}

ExprPtr rewriteExtract(ExprContext &ctx, ExprPtr e, unsigned low, unsigned width) {
  switch (e->kind()) {
  case Kind::Extract: // x[..][..] -> x[..]
    return ctx.extract(e->op(0), e->offset() + low, width);
  case Kind::Concat: {
    ExprPtr h = e->op(0), l = e->op(1);
    const unsigned n = l->width();
    if (low + width <= n) return ctx.extract(l, low, width); // inside the low part
    if (low >= n) return ctx.extract(h, low - n, width);     // inside the high part
    // across: (h ++ l)[..] -> h[..] ++ l[..]
    return ctx.concat(ctx.extract(h, 0, low + width - n), ctx.extract(l, low, n - low));
  }
  case Kind::ZExt: {
    ExprPtr x = e->op(0);
    if (low + width <= x->width()) return ctx.extract(x, low, width);
    if (low >= x->width()) return zero(ctx, width);
    return ctx.zext(ctx.extract(x, low, x->width() - low), width);
  }
  case Kind::SExt: {
    ExprPtr x = e->op(0);
    if (low + width <= x->width()) return ctx.extract(x, low, width);
    unsigned from = std::min(low, x->width() - 1); // at least the sign bit
    return ctx.sext(ctx.extract(x, from, x->width() - from), width);
  }
  case Kind::Not: // (~x)[..] -> ~(x[..]) when that slice disappears
    if (cheapToSlice(e->op(0), low + width)) return ctx.bvNot(ctx.extract(e->op(0), low, width));
    return nullptr;
  case Kind::And:
  case Kind::Or:
  case Kind::Xor:
    // (x & k)[..] -> x[..] & k[..]; also for two sliceable operands
    if (e->op(1)->isConst() ||
        (cheapToSlice(e->op(0), low + width) && cheapToSlice(e->op(1), low + width)))
      return ctx.binary(e->kind(), ctx.extract(e->op(0), low, width),
                        ctx.extract(e->op(1), low, width));
    return nullptr;
  case Kind::Add:
  case Kind::Sub:
  case Kind::Mul:
    // (x + y)[n-1:0] -> x[n-1:0] + y[n-1:0]: low bits depend on low bits only
    if (low == 0 && cheapToSlice(e->op(0), width) && cheapToSlice(e->op(1), width))
      return ctx.binary(e->kind(), ctx.extract(e->op(0), 0, width),
                        ctx.extract(e->op(1), 0, width));
    return nullptr;
  case Kind::Ite: // ite(c, k1, k2)[..] -> ite(c, k1[..], k2[..])
    if (isConstIte(e))
      return ctx.ite(e->op(0), ctx.extract(e->op(1), low, width),
                     ctx.extract(e->op(2), low, width));
    return nullptr;
  default: return nullptr;
  }
}

ExprPtr rewriteZExt(ExprContext &ctx, ExprPtr e, unsigned width) {
  // zext(zext(x)) -> zext(x)
  if (e->kind() == Kind::ZExt) return ctx.zext(e->op(0), width);
  // zext(ite(c, k1, k2)) -> ite(c, zext(k1), zext(k2)); a Boolean is left alone
  if (isConstIte(e) && e->width() > 1)
    return ctx.ite(e->op(0), ctx.zext(e->op(1), width), ctx.zext(e->op(2), width));
  return nullptr;
}

ExprPtr rewriteSExt(ExprContext &ctx, ExprPtr e, unsigned width) {
  // sext(sext(x)) -> sext(x)
  if (e->kind() == Kind::SExt) return ctx.sext(e->op(0), width);
  // sext(zext(x)) -> zext(x); and of everything whose sign bit is known to be 0
  if (e->kind() == Kind::ZExt) return ctx.zext(e->op(0), width);
  if (isConstIte(e) && e->width() > 1)
    return ctx.ite(e->op(0), ctx.sext(e->op(1), width), ctx.sext(e->op(2), width));
  if (e->width() > 1 && e->width() <= 64 && (factsOf(e, 3).zeros >> (e->width() - 1) & 1))
    return ctx.zext(e, width);
  return nullptr;
}

// --- disjoint pieces
// ---------------------------------------------------------------------------------------- b0 | b1
// << 8 | b2 << 16 and its relatives with + and ^: where at most one operand has bits at a position,
// the result is a Concat. Operands are read as lists of pieces, lowest first; a piece is a term or
// a run of zeros.

namespace {
struct Piece {
  unsigned width;
  ExprPtr term; // null: zeros
};
struct Pieces {
  static constexpr unsigned kMax = 16;
  Piece at[kMax];
  unsigned count = 0;
  bool add(unsigned width, ExprPtr term) {
    if (!term && count && !at[count - 1].term) {
      at[count - 1].width += width;
      return true;
    }
    if (count == kMax) return false;
    at[count++] = {width, term};
    return true;
  }
  bool split(ExprPtr e) {
    for (;; e = e->op(0)) {
      if (e->kind() == Kind::ZExt) {
        unsigned outer = e->width() - e->op(0)->width();
        return split(e->op(0)) && add(outer, nullptr);
      }
      ExprPtr low = e->kind() == Kind::Concat ? e->op(1) : e;
      if (low != e && (low->kind() == Kind::Concat ||
                       low->kind() == Kind::ZExt)) { // right-nested: the low part first
        if (!split(low)) return false;
      } else if (!add(low->width(), isZero(low) ? nullptr : low)) {
        return false;
      }
      if (e->kind() != Kind::Concat) return true;
    }
  }
  bool hasZeros() const {
    for (unsigned i = 0; i < count; ++i)
      if (!at[i].term) return true;
    return false;
  }
};
} // namespace

ExprPtr mergePieces(ExprContext &ctx, ExprPtr a, ExprPtr b) {
  auto composed = [](ExprPtr e) { return e->kind() == Kind::Concat || e->kind() == Kind::ZExt; };
  if (!composed(a) || (!composed(b) && !b->isConst())) return nullptr;
  Pieces p, q;
  if (!p.split(a) || !q.split(b) || !p.hasZeros()) return nullptr;
  if (b->isConst()) { // a constant is cut wherever the other side is
    if (b->width() > 64) return nullptr;
    q.count = 0;
    unsigned at = 0;
    for (unsigned i = 0; i < p.count; at += p.at[i++].width) {
      ExprPtr slice = ctx.extract(b, at, p.at[i].width);
      if (!isZero(slice) && p.at[i].term) return nullptr;
      q.at[q.count++] = {p.at[i].width, isZero(slice) ? nullptr : slice};
    }
  }
  ExprPtr result = nullptr;
  unsigned i = 0, j = 0;
  while (i < p.count && j < q.count) {
    Piece &x = p.at[i], &y = q.at[j];
    if (x.term && y.term) return nullptr;
    unsigned width = std::min(x.width, y.width);
    ExprPtr term = x.term ? x.term : y.term;
    if (term && term->width() != width) return nullptr; // would have to be cut
    if (!term) term = zero(ctx, width);
    result = result ? ctx.concat(term, result) : term;
    if ((x.width -= width) == 0) ++i;
    if ((y.width -= width) == 0) ++j;
  }
  return result;
}

} // namespace fathom::expr
