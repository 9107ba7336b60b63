// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers: integers of 65 to 128 bits, in pairs of slots. Rare in C: written for size, not for
// speed.
#include "evidence/BugKind.h"
#include "explore/machine/Handlers.h"

#include "fmt/format.h"

#include <bit>

namespace fathom::explore {

using expr::Kind;
using program::Predicate;
using program::WideOp;
using U128 = unsigned __int128;
using S128 = __int128;

namespace {

U128 pairAt(const uint64_t *r, uint32_t slot) {
  return (static_cast<U128>(r[slot + 1]) << 64) | r[slot];
}
void setPair(uint64_t *r, ExprPtr *s, uint32_t slot, U128 v) {
  r[slot] = static_cast<uint64_t>(v);
  r[slot + 1] = static_cast<uint64_t>(v >> 64);
  if (s) s[slot] = s[slot + 1] = nullptr;
}
U128 maskWide(unsigned w) { return w >= 128 ? ~U128(0) : (U128(1) << w) - 1; }
S128 signedWide(U128 v, unsigned w) { return static_cast<S128>(v << (128 - w)) >> (128 - w); }

ExprPtr constantOf(Machine *m, U128 v, unsigned w) {
  uint64_t words[2] = {static_cast<uint64_t>(v), static_cast<uint64_t>(v >> 64)};
  return m->ctx.constantWide(words, w);
}

bool kindOf(WideOp op, Kind &kind) {
  switch (op) {
  case WideOp::Add: kind = Kind::Add; return true;
  case WideOp::Sub: kind = Kind::Sub; return true;
  case WideOp::Mul: kind = Kind::Mul; return true;
  case WideOp::UDiv: kind = Kind::UDiv; return true;
  case WideOp::SDiv: kind = Kind::SDiv; return true;
  case WideOp::URem: kind = Kind::URem; return true;
  case WideOp::SRem: kind = Kind::SRem; return true;
  case WideOp::And: kind = Kind::And; return true;
  case WideOp::Or: kind = Kind::Or; return true;
  case WideOp::Xor: kind = Kind::Xor; return true;
  case WideOp::Shl: kind = Kind::Shl; return true;
  case WideOp::LShr: kind = Kind::LShr; return true;
  case WideOp::AShr: kind = Kind::AShr; return true;
  default: return false;
  }
}

bool isDivision(WideOp op) {
  return op == WideOp::UDiv || op == WideOp::SDiv || op == WideOp::URem || op == WideOp::SRem;
}
bool isShift(WideOp op) { return op == WideOp::Shl || op == WideOp::LShr || op == WideOp::AShr; }

U128 concreteBinary(WideOp op, U128 a, U128 b, unsigned w) {
  S128 x = signedWide(a, w), y = signedWide(b, w);
  auto n = static_cast<unsigned>(b);
  switch (op) {
  case WideOp::Add: return a + b;
  case WideOp::Sub: return a - b;
  case WideOp::Mul: return a * b;
  case WideOp::UDiv: return a / b;
  case WideOp::SDiv: return y == -1 ? -static_cast<U128>(x) : static_cast<U128>(x / y);
  case WideOp::URem: return a % b;
  case WideOp::SRem: return y == -1 ? 0 : static_cast<U128>(x % y);
  case WideOp::And: return a & b;
  case WideOp::Or: return a | b;
  case WideOp::Xor: return a ^ b;
  case WideOp::Shl: return a << n;
  case WideOp::LShr: return a >> n;
  case WideOp::AShr: return static_cast<U128>(x >> n);
  case WideOp::UMin: return a < b ? a : b;
  case WideOp::UMax: return a > b ? a : b;
  case WideOp::SMin: return x < y ? a : b;
  case WideOp::SMax: return x > y ? a : b;
  }
  return 0;
}

bool concreteCompare(Predicate p, U128 a, U128 b, unsigned w) {
  S128 x = signedWide(a, w), y = signedWide(b, w);
  switch (p) {
  case Predicate::Eq: return a == b;
  case Predicate::Ne: return a != b;
  case Predicate::Ult: return a < b;
  case Predicate::Ule: return a <= b;
  case Predicate::Ugt: return a > b;
  case Predicate::Uge: return a >= b;
  case Predicate::Slt: return x < y;
  case Predicate::Sle: return x <= y;
  case Predicate::Sgt: return x > y;
  case Predicate::Sge: return x >= y;
  }
  return false;
}

bool overflowsWide(WideOp op, U128 a, U128 b, unsigned w, bool isSigned) {
  if (isSigned) {
    S128 x = signedWide(a, w), y = signedWide(b, w), z;
    bool o = op == WideOp::Add   ? __builtin_add_overflow(x, y, &z)
             : op == WideOp::Sub ? __builtin_sub_overflow(x, y, &z)
                                 : __builtin_mul_overflow(x, y, &z);
    return o || signedWide(static_cast<U128>(z) & maskWide(w), w) != z;
  }
  U128 z;
  bool o = op == WideOp::Add   ? __builtin_add_overflow(a, b, &z)
           : op == WideOp::Sub ? __builtin_sub_overflow(a, b, &z)
                               : __builtin_mul_overflow(a, b, &z);
  return o || z > maskWide(w);
}

int trailing(U128 v, unsigned w) {
  if (!v) return static_cast<int>(w);
  auto lo = static_cast<uint64_t>(v);
  return lo ? std::countr_zero(lo) : 64 + std::countr_zero(static_cast<uint64_t>(v >> 64));
}
int leading(U128 v, unsigned w) {
  auto hi = static_cast<uint64_t>(v >> 64), lo = static_cast<uint64_t>(v);
  int n = hi ? std::countl_zero(hi) : 64 + std::countl_zero(lo);
  return n - static_cast<int>(128 - w);
}

/// What goes wrong in an operation: for certain, or where the condition (a term) holds.
struct Wrong {
  bool certain = false;
  ExprPtr condition = nullptr;
};

/// A zero divisor of an unsigned division (before a signed one NonZero has excluded it), or a
/// quotient that does not fit.
Wrong divisionGoesWrong(Machine *m, const Inst *ip, const uint64_t *r, const ExprPtr *s, bool sym) {
  const unsigned w = ip->w;
  auto op = static_cast<WideOp>(ip->d);
  const bool isSigned = op == WideOp::SDiv || op == WideOp::SRem;
  const U128 smallest = U128(1) << (w - 1);
  if (isSigned && !m->checkOverflow) return {};
  if (!sym) {
    U128 a = pairAt(r, ip->a), b = pairAt(r, ip->b);
    return {isSigned ? b == maskWide(w) && a == smallest : b == 0, nullptr};
  }
  ExprPtr a = m->registers.operand(r, s, ip->a, w), b = m->registers.operand(r, s, ip->b, w);
  if (!isSigned) return {false, m->ctx.eq(b, constantOf(m, 0, w))};
  return {false, m->ctx.bvAnd(m->ctx.eq(b, constantOf(m, maskWide(w), w)),
                              m->ctx.eq(a, constantOf(m, smallest, w)))};
}

Wrong shiftGoesWrong(Machine *m, const Inst *ip, const uint64_t *r, const ExprPtr *s) {
  const unsigned w = ip->w;
  if (!s || !s[ip->b]) return {pairAt(r, ip->b) >= w, nullptr};
  return {false, m->ctx.bvNot(m->ctx.ult(s[ip->b], constantOf(m, w, w)))};
}

Wrong sumGoesWrong(Machine *m, const Inst *ip, const uint64_t *r, const ExprPtr *s, bool sym) {
  const unsigned w = ip->w;
  auto op = static_cast<WideOp>(ip->d);
  if (!sym) return {overflowsWide(op, pairAt(r, ip->a), pairAt(r, ip->b), w, true), nullptr};
  ExprPtr a = m->registers.operand(r, s, ip->a, w), b = m->registers.operand(r, s, ip->b, w);
  Kind kind;
  if (!kindOf(op, kind) || !m->operations.mayOverflow(kind, a, b)) return {};
  return {false, m->operations.overflowTerm(kind, a, b, /*isSigned=*/true)};
}

void describeBinary(Machine *m, WideOp op, unsigned w) {
  if (op == WideOp::UDiv || op == WideOp::URem) {
    m->bug = evidence::BugKind::DivisionByZero;
    m->message = "division by zero";
  } else if (isShift(op)) {
    m->bug = evidence::BugKind::Overshift;
    m->message = fmt::format("shift of a {}-bit value by {} or more", w, w);
  } else {
    m->describeOverflow(isDivision(op) ? "the quotient" : "the result", w);
  }
}

Event checkAbs(Machine *m, const Inst *ip, const uint64_t *r, const ExprPtr *s) {
  const unsigned w = ip->w;
  const U128 smallest = U128(1) << (w - 1);
  const bool sym = s && s[ip->a];
  m->term = sym ? m->ctx.eq(s[ip->a], constantOf(m, smallest, w)) : nullptr;
  if (sym ? m->term->isFalse() : pairAt(r, ip->a) != smallest) return Event::Quantum;
  if (m->wasChecked(ip)) return Event::Quantum;
  m->describeOverflow("the absolute value", w);
  return sym ? Event::Check : Event::Bug;
}

/// The event to stop with before the operation, or Quantum for none.
Event checkBinary(Machine *m, const Inst *ip, const uint64_t *r, const ExprPtr *s, bool sym) {
  auto op = static_cast<WideOp>(ip->d);
  Wrong wrong;
  if (isDivision(op))
    wrong = divisionGoesWrong(m, ip, r, s, sym);
  else if (isShift(op))
    wrong = shiftGoesWrong(m, ip, r, s);
  else if ((ip->flags & program::kNsw) && m->checkOverflow && op <= WideOp::Mul)
    wrong = sumGoesWrong(m, ip, r, s, sym);
  m->term = wrong.condition;
  if (!wrong.certain && (!m->term || m->term->isFalse())) return Event::Quantum;
  if (m->wasChecked(ip)) return Event::Quantum;
  describeBinary(m, op, ip->w);
  return wrong.certain ? Event::Bug : Event::Check;
}

} // namespace

HANDLER(WideBin) {
  const unsigned w = ip->w;
  auto op = static_cast<WideOp>(ip->d);
  bool sym = IS_SYM(ip->a) || IS_SYM(ip->b);
  if (Event e = checkBinary(m, ip, r, s, sym); e != Event::Quantum) STOP(e);
  if (sym) {
    ExprPtr x = m->registers.operand(r, s, ip->a, w), y = m->registers.operand(r, s, ip->b, w);
    Kind kind;
    ExprPtr e;
    if (kindOf(op, kind))
      e = m->ctx.binary(kind, x, y);
    else
      e = m->operations.bitTerm(op == WideOp::UMin   ? Op::UMin
                                : op == WideOp::UMax ? Op::UMax
                                : op == WideOp::SMin ? Op::SMin
                                                     : Op::SMax,
                                x, y, nullptr, w);
    m->registers.result(r, s, ip->dst, e);
  } else
    setPair(r, s, ip->dst, concreteBinary(op, pairAt(r, ip->a), pairAt(r, ip->b), w) & maskWide(w));
  NEXT;
}

HANDLER(WideCmp) {
  auto p = static_cast<Predicate>(ip->d);
  if (IS_SYM(ip->a) || IS_SYM(ip->b))
    m->registers.result(r, s, ip->dst,
                        m->operations.compareTerm(p, m->registers.operand(r, s, ip->a, ip->w),
                                                  m->registers.operand(r, s, ip->b, ip->w)));
  else {
    r[ip->dst] = concreteCompare(p, pairAt(r, ip->a), pairAt(r, ip->b), ip->w);
    CLEAR(ip->dst);
  }
  NEXT;
}
HANDLER(WideZext) {
  if (IS_SYM(ip->a))
    m->registers.result(r, s, ip->dst, m->ctx.zext(s[ip->a], ip->w));
  else
    setPair(r, s, ip->dst, ip->c > 64 ? pairAt(r, ip->a) : U128(r[ip->a]));
  NEXT;
}
HANDLER(WideSext) {
  if (IS_SYM(ip->a))
    m->registers.result(r, s, ip->dst, m->ctx.sext(s[ip->a], ip->w));
  else {
    U128 v = ip->c > 64 ? pairAt(r, ip->a) : U128(r[ip->a]);
    setPair(r, s, ip->dst, static_cast<U128>(signedWide(v, ip->c)) & maskWide(ip->w));
  }
  NEXT;
}
HANDLER(WideTrunc) {
  if (IS_SYM(ip->a))
    m->registers.result(r, s, ip->dst, m->ctx.trunc(s[ip->a], ip->w));
  else if (ip->w > 64)
    setPair(r, s, ip->dst, pairAt(r, ip->a) & maskWide(ip->w));
  else {
    r[ip->dst] = r[ip->a] & maskOf(ip->w);
    CLEAR(ip->dst);
  }
  NEXT;
}
HANDLER(WideMov) {
  uint64_t lo = r[ip->a], hi = r[ip->a + 1];
  if constexpr (S) {
    s[ip->dst] = s[ip->a];
    s[ip->dst + 1] = nullptr;
  }
  r[ip->dst] = lo;
  r[ip->dst + 1] = hi;
  NEXT;
}
HANDLER(WideConst) {
  setPair(r, s, ip->dst, (static_cast<U128>(uint64_t(ip->d) << 32 | ip->c) << 64) | ip->imm);
  NEXT;
}
HANDLER(WideSelect) {
  if (IS_SYM(ip->a)) {
    // The width of the terms tells the type; with two constants it is 128 bits at most, which is
    // what the slots hold.
    unsigned w = IS_SYM(ip->b)   ? s[ip->b]->width()
                 : IS_SYM(ip->c) ? s[ip->c]->width()
                 : ip->w         ? ip->w
                                 : 128;
    m->registers.result(r, s, ip->dst,
                        m->ctx.ite(s[ip->a], m->registers.operand(r, s, ip->b, w),
                                   m->registers.operand(r, s, ip->c, w)));
  } else {
    uint32_t from = r[ip->a] ? ip->b : ip->c;
    uint64_t lo = r[from], hi = r[from + 1];
    if constexpr (S) {
      s[ip->dst] = s[from];
      s[ip->dst + 1] = nullptr;
    }
    r[ip->dst] = lo;
    r[ip->dst + 1] = hi;
  }
  NEXT;
}
HANDLER(WideOverflow) {
  const unsigned w = ip->w;
  auto op = static_cast<WideOp>(ip->d);
  bool isSigned = ip->flags & program::kSigned;
  if (IS_SYM(ip->a) || IS_SYM(ip->b)) {
    Kind kind = op == WideOp::Add ? Kind::Add : op == WideOp::Sub ? Kind::Sub : Kind::Mul;
    ExprPtr a = m->registers.operand(r, s, ip->a, w), b = m->registers.operand(r, s, ip->b, w);
    ExprPtr o = m->operations.overflowTerm(kind, a, b, isSigned);
    m->registers.result(r, s, ip->dst, m->ctx.binary(kind, a, b));
    m->registers.result(r, s, ip->dst + 2, o);
  } else {
    U128 a = pairAt(r, ip->a), b = pairAt(r, ip->b);
    setPair(r, s, ip->dst, concreteBinary(op, a, b, w) & maskWide(w));
    r[ip->dst + 2] = overflowsWide(op, a, b, w, isSigned);
    CLEAR(ip->dst + 2);
  }
  NEXT;
}
HANDLER(WideBit) {
  const unsigned w = ip->w;
  auto op = static_cast<Op>(ip->d);
  bool three = op == Op::Fshl || op == Op::Fshr;
  if (op == Op::AbsN && (ip->flags & program::kNsw) && m->checkOverflow)
    if (Event e = checkAbs(m, ip, r, s); e != Event::Quantum) STOP(e);
  if (IS_SYM(ip->a) || (three && (IS_SYM(ip->b) || IS_SYM(ip->c)))) {
    m->registers.result(
        r, s, ip->dst,
        m->operations.bitTerm(op, m->registers.operand(r, s, ip->a, w),
                              three ? m->registers.operand(r, s, ip->b, w) : nullptr,
                              three ? m->registers.operand(r, s, ip->c, w) : nullptr, w));
    NEXT;
  }
  U128 a = pairAt(r, ip->a), v = 0;
  switch (op) {
  case Op::Ctpop: v = U128(std::popcount(r[ip->a])) + U128(std::popcount(r[ip->a + 1])); break;
  case Op::Ctlz: v = static_cast<U128>(leading(a, w)); break;
  case Op::Cttz: v = static_cast<U128>(trailing(a, w)); break;
  case Op::Bswap:
    for (unsigned i = 0; i < w; i += 8) v = (v << 8) | ((a >> i) & 0xff);
    break;
  case Op::Bitreverse:
    for (unsigned i = 0; i < w; i++) v = (v << 1) | ((a >> i) & 1);
    break;
  case Op::AbsN: v = signedWide(a, w) < 0 ? -a : a; break;
  case Op::Fshl:
  case Op::Fshr: {
    U128 b = pairAt(r, ip->b);
    auto n = static_cast<unsigned>(pairAt(r, ip->c) % w);
    v = !n               ? (op == Op::Fshl ? a : b)
        : op == Op::Fshl ? (a << n) | (b >> (w - n))
                         : (b >> n) | (a << (w - n));
    break;
  }
  default: break;
  }
  setPair(r, s, ip->dst, v & maskWide(w));
  NEXT;
}

void fillWideHandlers(HandlerTables tables) {
  SET_HANDLER(WideBin);
  SET_HANDLER(WideCmp);
  SET_HANDLER(WideZext);
  SET_HANDLER(WideSext);
  SET_HANDLER(WideTrunc);
  SET_HANDLER(WideMov);
  SET_HANDLER(WideConst);
  SET_HANDLER(WideSelect);
  SET_HANDLER(WideOverflow);
  SET_HANDLER(WideBit);
}

} // namespace fathom::explore
