// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers: integer arithmetic of up to 64 bits.
#include "evidence/BugKind.h"
#include "explore/machine/Handlers.h"

#include "fmt/format.h"

namespace fathom::explore {

using evidence::BugKind;

using expr::Kind;
using program::kNsw;

namespace {
/// Signed overflow of a concrete operation with the nsw flag; the message names both operands.
template <Kind K> bool overflows(uint64_t a, uint64_t b, unsigned w) {
  int64_t x = signExtend(a, w), y = signExtend(b, w), z;
  bool o = K == Kind::Add   ? __builtin_add_overflow(x, y, &z)
           : K == Kind::Sub ? __builtin_sub_overflow(x, y, &z)
                            : __builtin_mul_overflow(x, y, &z);
  return o || (w < 64 && signExtend(static_cast<uint64_t>(z), w) != z);
}
__attribute__((noinline)) void describeOverflow(Machine *m, const char *op, uint64_t a, uint64_t b,
                                                unsigned w) {
  m->bug = BugKind::SignedOverflow;
  m->message = fmt::format("{} {} {} does not fit in a signed {}-bit integer", signExtend(a, w), op,
                           signExtend(b, w), w);
}
/// True when the check has to be put to the executor: m->term is set.
template <Kind K>
__attribute__((noinline)) bool symOverflowCheck(Machine *m, const Inst *ip, const uint64_t *r,
                                                const ExprPtr *s, unsigned w, bool imm,
                                                const char *op) {
  if (!m->checkOverflow) return false;
  if (m->state->checked == ip) {
    m->state->checked = nullptr;
    return false;
  }
  ExprPtr a = m->registers.operand(r, s, ip->a, w);
  ExprPtr b = imm ? m->ctx.constant(ip->imm, w) : m->registers.operand(r, s, ip->b, w);
  if (!m->operations.mayOverflow(K, a, b)) return false;
  m->term = m->operations.overflowTerm(K, a, b, /*isSigned=*/true);
  if (m->term->isFalse()) return false;
  m->bug = BugKind::SignedOverflow;
  m->message = fmt::format("the result of {} does not fit in a signed {}-bit integer", op, w);
  return true;
}
} // namespace

#define ARITH(name, W, KIND, OPTEXT, SYMBOL, IMM)                                                  \
  HANDLER(name) {                                                                                  \
    const unsigned w = (W);                                                                        \
    if (IS_SYM(ip->a) || (!IMM && IS_SYM(ip->b))) [[unlikely]] {                                   \
      if ((ip->flags & kNsw) && symOverflowCheck<Kind::KIND>(m, ip, r, s, w, IMM, OPTEXT))         \
        STOP(Event::Check);                                                                        \
      m->operations.symBinary(ip, r, s, w, Kind::KIND, IMM);                                       \
      NEXT;                                                                                        \
    }                                                                                              \
    uint64_t a = r[ip->a], b = IMM ? ip->imm : r[ip->b];                                           \
    if ((ip->flags & kNsw) && m->checkOverflow && overflows<Kind::KIND>(a, b, w)) [[unlikely]] {   \
      if (m->state->checked != ip) {                                                               \
        describeOverflow(m, SYMBOL, a, b, w);                                                      \
        STOP(Event::Bug);                                                                          \
      }                                                                                            \
      m->state->checked = nullptr;                                                                 \
    }                                                                                              \
    uint64_t v = Kind::KIND == Kind::Add ? a + b : Kind::KIND == Kind::Sub ? a - b : a * b;        \
    r[ip->dst] = v & maskOf(w);                                                                    \
    CLEAR(ip->dst);                                                                                \
    NEXT;                                                                                          \
  }

ARITH(Add32, 32, Add, "an addition", "+", false)
ARITH(Add64, 64, Add, "an addition", "+", false)
ARITH(AddN, ip->w, Add, "an addition", "+", false)
ARITH(Add32I, 32, Add, "an addition", "+", true)
ARITH(Add64I, 64, Add, "an addition", "+", true)
ARITH(AddNI, ip->w, Add, "an addition", "+", true)
ARITH(Sub32, 32, Sub, "a subtraction", "-", false)
ARITH(Sub64, 64, Sub, "a subtraction", "-", false)
ARITH(SubN, ip->w, Sub, "a subtraction", "-", false)
ARITH(SubNI, ip->w, Sub, "a subtraction", "-", true)
ARITH(Mul32, 32, Mul, "a multiplication", "*", false)
ARITH(Mul64, 64, Mul, "a multiplication", "*", false)
ARITH(MulN, ip->w, Mul, "a multiplication", "*", false)
ARITH(Mul32I, 32, Mul, "a multiplication", "*", true)
ARITH(Mul64I, 64, Mul, "a multiplication", "*", true)
ARITH(MulNI, ip->w, Mul, "a multiplication", "*", true)

// Divisions: a zero divisor, and the one signed quotient that does not fit (for a signed division
// NonZero has excluded the former).
namespace {
__attribute__((noinline)) bool symDivisionCheck(Machine *m, const Inst *ip, const uint64_t *r,
                                                const ExprPtr *s, bool isSigned) {
  if (m->state->checked == ip) {
    m->state->checked = nullptr;
    return false;
  }
  unsigned w = ip->w;
  ExprPtr a = m->registers.operand(r, s, ip->a, w), b = m->registers.operand(r, s, ip->b, w);
  if (!isSigned) {
    m->term = m->ctx.eq(b, m->ctx.constant(0, w));
    m->bug = BugKind::DivisionByZero;
    m->message = "division by zero";
    return !m->term->isFalse();
  }
  // The processor traps: the options do not matter.
  m->term = m->ctx.bvAnd(m->ctx.eq(b, m->ctx.constant(maskOf(w), w)),
                         m->ctx.eq(a, m->ctx.constant(uint64_t(1) << (w - 1), w)));
  m->bug = BugKind::SignedOverflow;
  m->message = fmt::format("the quotient does not fit in a signed {}-bit integer", w);
  return !m->term->isFalse();
}
} // namespace

HANDLER(NonZero) {
  const bool pair = ip->w > 64;
  if (IS_SYM(ip->a)) [[unlikely]] {
    m->term = m->ctx.eq(s[ip->a], m->ctx.zext(m->ctx.constant(0, 1), ip->w));
    if (m->term->isFalse() || m->wasChecked(ip)) NEXT;
  } else if (r[ip->a] || (pair && r[ip->a + 1])) [[likely]] {
    NEXT;
  }
  m->bug = BugKind::DivisionByZero;
  m->message = "division by zero";
  STOP(IS_SYM(ip->a) ? Event::Check : Event::Bug);
}

#define DIVISION(name, KIND, SIGNED, EXPRESSION)                                                   \
  HANDLER(name) {                                                                                  \
    const unsigned w = ip->w;                                                                      \
    if (IS_SYM(ip->a) || IS_SYM(ip->b)) [[unlikely]] {                                             \
      if (symDivisionCheck(m, ip, r, s, SIGNED)) STOP(Event::Check);                               \
      m->operations.symBinary(ip, r, s, w, Kind::KIND, false);                                     \
      NEXT;                                                                                        \
    }                                                                                              \
    uint64_t a = r[ip->a], b = r[ip->b];                                                           \
    if (!b) [[unlikely]] {                                                                         \
      m->bug = BugKind::DivisionByZero;                                                            \
      m->message = "division by zero";                                                             \
      STOP(Event::Bug);                                                                            \
    }                                                                                              \
    [[maybe_unused]] int64_t x = signExtend(a, w), y = signExtend(b, w);                           \
    if (SIGNED && y == -1 && a == uint64_t(1) << (w - 1)) [[unlikely]] {                           \
      describeOverflow(m, "/", a, b, w);                                                           \
      STOP(Event::Bug); /* traps on x86-64 whatever the options say */                             \
    }                                                                                              \
    r[ip->dst] = static_cast<uint64_t>(EXPRESSION) & maskOf(w);                                    \
    CLEAR(ip->dst);                                                                                \
    NEXT;                                                                                          \
  }
DIVISION(UDiv, UDiv, false, a / b)
DIVISION(URem, URem, false, a % b)
DIVISION(SDiv, SDiv, true, x / y)
DIVISION(SRem, SRem, true, x % y)

#define BITWISE(name, KIND, OPERATOR, IMM)                                                         \
  HANDLER(name) {                                                                                  \
    if (IS_SYM(ip->a) || (!IMM && IS_SYM(ip->b))) [[unlikely]] {                                   \
      m->operations.symBinary(ip, r, s, ip->w, Kind::KIND, IMM);                                   \
      NEXT;                                                                                        \
    }                                                                                              \
    r[ip->dst] = r[ip->a] OPERATOR(IMM ? ip->imm : r[ip->b]);                                      \
    CLEAR(ip->dst);                                                                                \
    NEXT;                                                                                          \
  }
BITWISE(And, And, &, false)
BITWISE(Or, Or, |, false)
BITWISE(Xor, Xor, ^, false)
BITWISE(AndI, And, &, true)
BITWISE(OrI, Or, |, true)
BITWISE(XorI, Xor, ^, true)

#define SHIFT(name, KIND, EXPRESSION, IMM)                                                         \
  HANDLER(name) {                                                                                  \
    const unsigned w = ip->w;                                                                      \
    if (IS_SYM(ip->a) || (!IMM && IS_SYM(ip->b))) [[unlikely]] {                                   \
      if (!IMM && IS_SYM(ip->b)) {                                                                 \
        if (m->state->checked == ip)                                                               \
          m->state->checked = nullptr;                                                             \
        else {                                                                                     \
          m->term = m->ctx.bvNot(m->ctx.ult(s[ip->b], m->ctx.constant(w, w)));                     \
          if (!m->term->isFalse()) {                                                               \
            m->bug = BugKind::Overshift;                                                           \
            m->message = fmt::format("shift of a {}-bit value by {} or more", w, w);               \
            STOP(Event::Check);                                                                    \
          }                                                                                        \
        }                                                                                          \
      } else if ((IMM ? ip->imm : r[ip->b]) >= w) {                                                \
        m->bug = BugKind::Overshift;                                                               \
        m->message = fmt::format("shift of a {}-bit value by {}", w, IMM ? ip->imm : r[ip->b]);    \
        STOP(Event::Bug);                                                                          \
      }                                                                                            \
      m->operations.symBinary(ip, r, s, w, Kind::KIND, IMM);                                       \
      NEXT;                                                                                        \
    }                                                                                              \
    uint64_t a = r[ip->a], b = IMM ? ip->imm : r[ip->b];                                           \
    if (b >= w) [[unlikely]] {                                                                     \
      m->bug = BugKind::Overshift;                                                                 \
      m->message = fmt::format("shift of a {}-bit value by {}", w, b);                             \
      STOP(Event::Bug);                                                                            \
    }                                                                                              \
    r[ip->dst] = static_cast<uint64_t>(EXPRESSION) & maskOf(w);                                    \
    CLEAR(ip->dst);                                                                                \
    NEXT;                                                                                          \
  }
SHIFT(Shl, Shl, a << b, false)
SHIFT(LShr, LShr, a >> b, false)
SHIFT(AShr, AShr, signExtend(a, w) >> b, false)
SHIFT(ShlI, Shl, a << b, true)
SHIFT(LShrI, LShr, a >> b, true)
SHIFT(AShrI, AShr, signExtend(a, w) >> b, true)

#define OVERFLOW(name, KIND, SIGNED, OPERATOR)                                                     \
  HANDLER(name) {                                                                                  \
    const unsigned w = ip->w;                                                                      \
    if (IS_SYM(ip->a) || IS_SYM(ip->b)) [[unlikely]] {                                             \
      ExprPtr a = m->registers.operand(r, s, ip->a, w), b = m->registers.operand(r, s, ip->b, w);  \
      ExprPtr o = m->operations.overflowTerm(Kind::KIND, a, b, SIGNED);                            \
      m->registers.result(r, s, ip->dst, m->ctx.binary(Kind::KIND, a, b));                         \
      m->registers.result(r, s, ip->dst + 1, o);                                                   \
      NEXT;                                                                                        \
    }                                                                                              \
    uint64_t a = r[ip->a], b = r[ip->b], v = a OPERATOR b;                                         \
    bool over;                                                                                     \
    if (SIGNED) {                                                                                  \
      over = overflows<Kind::KIND>(a, b, w);                                                       \
    } else {                                                                                       \
      uint64_t z;                                                                                  \
      over = Kind::KIND == Kind::Add   ? __builtin_add_overflow(a, b, &z)                          \
             : Kind::KIND == Kind::Sub ? __builtin_sub_overflow(a, b, &z)                          \
                                       : __builtin_mul_overflow(a, b, &z);                         \
      over |= z > maskOf(w);                                                                       \
    }                                                                                              \
    r[ip->dst] = v & maskOf(w);                                                                    \
    r[ip->dst + 1] = over;                                                                         \
    CLEAR(ip->dst);                                                                                \
    CLEAR(ip->dst + 1);                                                                            \
    NEXT;                                                                                          \
  }
OVERFLOW(UAddO, Add, false, +)
OVERFLOW(SAddO, Add, true, +)
OVERFLOW(USubO, Sub, false, -)
OVERFLOW(SSubO, Sub, true, -)
OVERFLOW(UMulO, Mul, false, *)
OVERFLOW(SMulO, Mul, true, *)

void fillIntegerHandlers(HandlerTables tables) {
  SET_HANDLER(Add32);
  SET_HANDLER(Add64);
  SET_HANDLER(AddN);
  SET_HANDLER(Add32I);
  SET_HANDLER(Add64I);
  SET_HANDLER(AddNI);
  SET_HANDLER(Sub32);
  SET_HANDLER(Sub64);
  SET_HANDLER(SubN);
  SET_HANDLER(SubNI);
  SET_HANDLER(Mul32);
  SET_HANDLER(Mul64);
  SET_HANDLER(MulN);
  SET_HANDLER(Mul32I);
  SET_HANDLER(Mul64I);
  SET_HANDLER(MulNI);
  SET_HANDLER(UDiv);
  SET_HANDLER(URem);
  SET_HANDLER(SDiv);
  SET_HANDLER(SRem);
  SET_HANDLER(NonZero);
  SET_HANDLER(And);
  SET_HANDLER(Or);
  SET_HANDLER(Xor);
  SET_HANDLER(AndI);
  SET_HANDLER(OrI);
  SET_HANDLER(XorI);
  SET_HANDLER(Shl);
  SET_HANDLER(LShr);
  SET_HANDLER(AShr);
  SET_HANDLER(ShlI);
  SET_HANDLER(LShrI);
  SET_HANDLER(AShrI);
  SET_HANDLER(UAddO);
  SET_HANDLER(SAddO);
  SET_HANDLER(USubO);
  SET_HANDLER(SSubO);
  SET_HANDLER(UMulO);
  SET_HANDLER(SMulO);
}

} // namespace fathom::explore
