// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the operations mean on terms. The concrete meanings are in the handlers; test/solver-stages
// and the term tests hold the two against each other.
#include "explore/interpreter/Operations.h"

#include "explore/interpreter/TermBounds.h"

#include "llvm/Support/ErrorHandling.h"

namespace fathom::explore {

using expr::Kind;
using program::Predicate;

void Operations::symBinary(const Inst *ip, uint64_t *r, ExprPtr *s, unsigned w, Kind kind,
                           bool immediate) {
  ExprPtr a = registers_.operand(r, s, ip->a, w);
  ExprPtr b = immediate ? ctx_.constant(ip->imm, w) : registers_.operand(r, s, ip->b, w);
  registers_.result(r, s, ip->dst, combined(kind, a, b));
}

ExprPtr Operations::combined(Kind kind, ExprPtr a, ExprPtr b) {
  ExprPtr e = ctx_.binary(kind, a, b);
  run_.built(e, kind, {a, b});
  return e;
}

ExprPtr Operations::converted(Kind kind, ExprPtr e, unsigned w) {
  ExprPtr out = kind == Kind::ZExt   ? ctx_.zext(e, w)
                : kind == Kind::SExt ? ctx_.sext(e, w)
                                     : ctx_.trunc(e, w);
  run_.built(out, kind, {e});
  return out;
}

ExprPtr Operations::selected(ExprPtr condition, ExprPtr a, ExprPtr b) {
  ExprPtr e = ctx_.ite(condition, a, b);
  run_.built(e, Kind::Ite, {condition, a, b});
  return e;
}

ExprPtr Operations::address(ExprPtr base, uint64_t displacement, ExprPtr index, uint64_t scale) {
  ExprPtr part = combined(Kind::Mul, index, ctx_.constant(scale, 64));
  return combined(Kind::Add, combined(Kind::Add, base, ctx_.constant(displacement, 64)), part);
}

/// As compareTerm builds it.
void Operations::noteCompare(Predicate p, ExprPtr a, ExprPtr b, ExprPtr result) {
  expr::UnsimplifiedTerms &unsimplified = *run_.unsimplified;
  switch (p) {
  case Predicate::Eq: return unsimplified.built(result, Kind::Eq, {a, b});
  case Predicate::Ne: {
    ExprPtr equal = ctx_.eq(a, b);
    unsimplified.built(equal, Kind::Eq, {a, b});
    return unsimplified.note(result, unsimplified.negation(unsimplified.of(equal)));
  }
  case Predicate::Ult: return unsimplified.built(result, Kind::Ult, {a, b});
  case Predicate::Ule: return unsimplified.built(result, Kind::Ule, {a, b});
  case Predicate::Ugt: return unsimplified.built(result, Kind::Ult, {b, a});
  case Predicate::Uge: return unsimplified.built(result, Kind::Ule, {b, a});
  case Predicate::Slt: return unsimplified.built(result, Kind::Slt, {a, b});
  case Predicate::Sle: return unsimplified.built(result, Kind::Sle, {a, b});
  case Predicate::Sgt: return unsimplified.built(result, Kind::Slt, {b, a});
  case Predicate::Sge: return unsimplified.built(result, Kind::Sle, {b, a});
  }
}

ExprPtr Operations::compareTerm(Predicate p, ExprPtr a, ExprPtr b) {
  switch (p) {
  case Predicate::Eq: return ctx_.eq(a, b);
  case Predicate::Ne: return ctx_.ne(a, b);
  case Predicate::Ult: return ctx_.ult(a, b);
  case Predicate::Ule: return ctx_.ule(a, b);
  case Predicate::Ugt: return ctx_.ult(b, a);
  case Predicate::Uge: return ctx_.ule(b, a);
  case Predicate::Slt: return ctx_.slt(a, b);
  case Predicate::Sle: return ctx_.sle(a, b);
  case Predicate::Sgt: return ctx_.slt(b, a);
  case Predicate::Sge: return ctx_.sle(b, a);
  }
  llvm_unreachable("predicate");
}

void Operations::symCompare(const Inst *ip, uint64_t *r, ExprPtr *s, Predicate p, bool immediate) {
  ExprPtr a = registers_.operand(r, s, ip->a, ip->w);
  ExprPtr b = immediate ? ctx_.constant(ip->imm, ip->w) : registers_.operand(r, s, ip->b, ip->w);
  ExprPtr e = compareTerm(p, a, b);
  if (run_.unsimplified) [[unlikely]]
    noteCompare(p, a, b, e);
  registers_.result(r, s, ip->dst, e);
}

bool Operations::mayOverflow(Kind kind, ExprPtr a, ExprPtr b) {
  unsigned w = a->width(), x = signedBits(a), y = signedBits(b);
  return kind == Kind::Mul ? x + y > w : std::max(x, y) + 1 > w;
}

ExprPtr Operations::overflowTerm(Kind kind, ExprPtr a, ExprPtr b, bool isSigned) {
  unsigned w = a->width();
  if (kind == Kind::Mul) {
    auto extend = [&](ExprPtr e) { return isSigned ? ctx_.sext(e, 2 * w) : ctx_.zext(e, 2 * w); };
    ExprPtr wide = ctx_.mul(extend(a), extend(b));
    return ctx_.ne(wide, extend(ctx_.trunc(wide, w)));
  }
  ExprPtr v = ctx_.binary(kind, a, b);
  if (!isSigned) return kind == Kind::Add ? ctx_.ult(v, a) : ctx_.ult(a, b);
  // Signed: the operands' signs agree (add) or differ (sub), and the result's sign is not the first
  // registers_.operand's.
  ExprPtr sa = ctx_.extract(a, w - 1, 1), sb = ctx_.extract(b, w - 1, 1),
          sv = ctx_.extract(v, w - 1, 1);
  ExprPtr signs = kind == Kind::Add ? ctx_.eq(sa, sb) : ctx_.ne(sa, sb);
  return ctx_.bvAnd(signs, ctx_.ne(sv, sa));
}

ExprPtr Operations::bitTerm(Op op, ExprPtr a, ExprPtr b, ExprPtr c, unsigned w) {
  ExprPtr zero = ctx_.constant(0, std::min(w, 64u));
  if (w > 64) zero = ctx_.zext(zero, w);
  auto number = [&](uint64_t v) {
    return w > 64 ? ctx_.zext(ctx_.constant(v, 64), w) : ctx_.constant(v, w);
  };
  auto allOnes = [&] { return ctx_.bvNot(zero); };
  auto signBit = [&] { return ctx_.shl(number(1), number(w - 1)); }; // the smallest signed number
  switch (op) {
  case Op::Ctpop: {
    ExprPtr sum = zero;
    for (unsigned i = 0; i < w; i++) sum = ctx_.add(sum, ctx_.zext(ctx_.extract(a, i, 1), w));
    return sum;
  }
  case Op::Ctlz: {
    ExprPtr n = number(w); // from the low bits up: the last one that is set decides
    for (unsigned i = 0; i < w; i++) n = ctx_.ite(ctx_.extract(a, i, 1), number(w - 1 - i), n);
    return n;
  }
  case Op::Cttz: {
    ExprPtr n = number(w);
    for (unsigned i = w; i-- > 0;) n = ctx_.ite(ctx_.extract(a, i, 1), number(i), n);
    return n;
  }
  case Op::Bswap: {
    ExprPtr e = ctx_.extract(a, 0, 8);
    for (unsigned i = 8; i < w; i += 8) e = ctx_.concat(e, ctx_.extract(a, i, 8));
    return e;
  }
  case Op::Bitreverse: {
    ExprPtr e = ctx_.extract(a, 0, 1);
    for (unsigned i = 1; i < w; i++) e = ctx_.concat(e, ctx_.extract(a, i, 1));
    return e;
  }
  case Op::Fshl:
  case Op::Fshr: {
    ExprPtr n = ctx_.urem(c, number(w)),
            rest = ctx_.sub(number(w), n); // a shift by w gives 0, as it should
    return op == Op::Fshl ? ctx_.bvOr(ctx_.shl(a, n), ctx_.lshr(b, rest))
                          : ctx_.bvOr(ctx_.lshr(b, n), ctx_.shl(a, rest));
  }
  case Op::AbsN: return ctx_.ite(ctx_.slt(a, zero), ctx_.neg(a), a);
  case Op::UMin: return ctx_.ite(ctx_.ult(a, b), a, b);
  case Op::UMax: return ctx_.ite(ctx_.ult(a, b), b, a);
  case Op::SMin: return ctx_.ite(ctx_.slt(a, b), a, b);
  case Op::SMax: return ctx_.ite(ctx_.slt(a, b), b, a);
  case Op::UAddSat:
    return ctx_.ite(overflowTerm(Kind::Add, a, b, false), allOnes(), ctx_.add(a, b));
  case Op::USubSat: return ctx_.ite(ctx_.ult(a, b), zero, ctx_.sub(a, b));
  case Op::SAddSat:
  case Op::SSubSat: {
    Kind k = op == Op::SAddSat ? Kind::Add : Kind::Sub;
    ExprPtr limit = ctx_.ite(ctx_.slt(a, zero), signBit(), ctx_.bvNot(signBit()));
    return ctx_.ite(overflowTerm(k, a, b, true), limit, ctx_.binary(k, a, b));
  }
  case Op::UShlSat: {
    ExprPtr v = ctx_.shl(a, b);
    return ctx_.ite(ctx_.eq(ctx_.lshr(v, b), a), v, allOnes());
  }
  case Op::SShlSat: {
    ExprPtr v = ctx_.shl(a, b),
            limit = ctx_.ite(ctx_.slt(a, zero), signBit(), ctx_.bvNot(signBit()));
    return ctx_.ite(ctx_.eq(ctx_.ashr(v, b), a), v, limit);
  }
  default: llvm_unreachable("not a bit operation");
  }
}

} // namespace fathom::explore
