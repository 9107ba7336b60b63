// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the operations mean on terms. The concrete meanings are in the handlers; test/solver-stages
// and the term tests hold the two against each other.
#include "explore/machine/Handlers.h"
#include "explore/machine/TermBounds.h"

#include "llvm/Support/ErrorHandling.h"

namespace fathom::explore {

using expr::Kind;
using program::Predicate;

void Machine::symBinary(const Inst *ip, uint64_t *r, ExprPtr *s, unsigned w, Kind kind,
                        bool immediate) {
  ExprPtr a = operand(r, s, ip->a, w);
  ExprPtr b = immediate ? ctx.constant(ip->imm, w) : operand(r, s, ip->b, w);
  result(r, s, ip->dst, ctx.binary(kind, a, b));
}

ExprPtr Machine::compareTerm(Predicate p, ExprPtr a, ExprPtr b) {
  switch (p) {
  case Predicate::Eq: return ctx.eq(a, b);
  case Predicate::Ne: return ctx.ne(a, b);
  case Predicate::Ult: return ctx.ult(a, b);
  case Predicate::Ule: return ctx.ule(a, b);
  case Predicate::Ugt: return ctx.ult(b, a);
  case Predicate::Uge: return ctx.ule(b, a);
  case Predicate::Slt: return ctx.slt(a, b);
  case Predicate::Sle: return ctx.sle(a, b);
  case Predicate::Sgt: return ctx.slt(b, a);
  case Predicate::Sge: return ctx.sle(b, a);
  }
  llvm_unreachable("predicate");
}

void Machine::symCompare(const Inst *ip, uint64_t *r, ExprPtr *s, Predicate p, bool immediate) {
  ExprPtr a = operand(r, s, ip->a, ip->w);
  ExprPtr b = immediate ? ctx.constant(ip->imm, ip->w) : operand(r, s, ip->b, ip->w);
  result(r, s, ip->dst, compareTerm(p, a, b));
}

bool Machine::mayOverflow(Kind kind, ExprPtr a, ExprPtr b) {
  unsigned w = a->width(), x = signedBits(a), y = signedBits(b);
  return kind == Kind::Mul ? x + y > w : std::max(x, y) + 1 > w;
}

ExprPtr Machine::overflowTerm(Kind kind, ExprPtr a, ExprPtr b, bool isSigned) {
  unsigned w = a->width();
  if (kind == Kind::Mul) {
    auto extend = [&](ExprPtr e) { return isSigned ? ctx.sext(e, 2 * w) : ctx.zext(e, 2 * w); };
    ExprPtr wide = ctx.mul(extend(a), extend(b));
    return ctx.ne(wide, extend(ctx.trunc(wide, w)));
  }
  ExprPtr v = ctx.binary(kind, a, b);
  if (!isSigned) return kind == Kind::Add ? ctx.ult(v, a) : ctx.ult(a, b);
  // Signed: the operands' signs agree (add) or differ (sub), and the result's sign is not the first
  // operand's.
  ExprPtr sa = ctx.extract(a, w - 1, 1), sb = ctx.extract(b, w - 1, 1),
          sv = ctx.extract(v, w - 1, 1);
  ExprPtr signs = kind == Kind::Add ? ctx.eq(sa, sb) : ctx.ne(sa, sb);
  return ctx.bvAnd(signs, ctx.ne(sv, sa));
}

ExprPtr Machine::bitTerm(Op op, ExprPtr a, ExprPtr b, ExprPtr c, unsigned w) {
  ExprPtr zero = ctx.constant(0, std::min(w, 64u));
  if (w > 64) zero = ctx.zext(zero, w);
  auto number = [&](uint64_t v) {
    return w > 64 ? ctx.zext(ctx.constant(v, 64), w) : ctx.constant(v, w);
  };
  auto allOnes = [&] { return ctx.bvNot(zero); };
  auto signBit = [&] { return ctx.shl(number(1), number(w - 1)); }; // the smallest signed number
  switch (op) {
  case Op::Ctpop: {
    ExprPtr sum = zero;
    for (unsigned i = 0; i < w; i++) sum = ctx.add(sum, ctx.zext(ctx.extract(a, i, 1), w));
    return sum;
  }
  case Op::Ctlz: {
    ExprPtr n = number(w); // from the low bits up: the last one that is set decides
    for (unsigned i = 0; i < w; i++) n = ctx.ite(ctx.extract(a, i, 1), number(w - 1 - i), n);
    return n;
  }
  case Op::Cttz: {
    ExprPtr n = number(w);
    for (unsigned i = w; i-- > 0;) n = ctx.ite(ctx.extract(a, i, 1), number(i), n);
    return n;
  }
  case Op::Bswap: {
    ExprPtr e = ctx.extract(a, 0, 8);
    for (unsigned i = 8; i < w; i += 8) e = ctx.concat(e, ctx.extract(a, i, 8));
    return e;
  }
  case Op::Bitreverse: {
    ExprPtr e = ctx.extract(a, 0, 1);
    for (unsigned i = 1; i < w; i++) e = ctx.concat(e, ctx.extract(a, i, 1));
    return e;
  }
  case Op::Fshl:
  case Op::Fshr: {
    ExprPtr n = ctx.urem(c, number(w)),
            rest = ctx.sub(number(w), n); // a shift by w gives 0, as it should
    return op == Op::Fshl ? ctx.bvOr(ctx.shl(a, n), ctx.lshr(b, rest))
                          : ctx.bvOr(ctx.lshr(b, n), ctx.shl(a, rest));
  }
  case Op::AbsN: return ctx.ite(ctx.slt(a, zero), ctx.neg(a), a);
  case Op::UMin: return ctx.ite(ctx.ult(a, b), a, b);
  case Op::UMax: return ctx.ite(ctx.ult(a, b), b, a);
  case Op::SMin: return ctx.ite(ctx.slt(a, b), a, b);
  case Op::SMax: return ctx.ite(ctx.slt(a, b), b, a);
  case Op::UAddSat: return ctx.ite(overflowTerm(Kind::Add, a, b, false), allOnes(), ctx.add(a, b));
  case Op::USubSat: return ctx.ite(ctx.ult(a, b), zero, ctx.sub(a, b));
  case Op::SAddSat:
  case Op::SSubSat: {
    Kind k = op == Op::SAddSat ? Kind::Add : Kind::Sub;
    ExprPtr limit = ctx.ite(ctx.slt(a, zero), signBit(), ctx.bvNot(signBit()));
    return ctx.ite(overflowTerm(k, a, b, true), limit, ctx.binary(k, a, b));
  }
  case Op::UShlSat: {
    ExprPtr v = ctx.shl(a, b);
    return ctx.ite(ctx.eq(ctx.lshr(v, b), a), v, allOnes());
  }
  case Op::SShlSat: {
    ExprPtr v = ctx.shl(a, b), limit = ctx.ite(ctx.slt(a, zero), signBit(), ctx.bvNot(signBit()));
    return ctx.ite(ctx.eq(ctx.ashr(v, b), a), v, limit);
  }
  default: llvm_unreachable("not a bit operation");
  }
}

} // namespace fathom::explore
