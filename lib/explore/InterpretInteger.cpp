// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers: moves, integer arithmetic, comparisons and bit tricks of up to 64 bits.
#include "explore/Handlers.h"

#include "fmt/format.h"

#include <bit>

namespace fathom::explore {

using expr::Kind;
using program::kNsw;
using program::Predicate;

// --- moves
// -----------------------------------------------------------------------------------------------

HANDLER(Const) {
  r[ip->dst] = ip->imm;
  CLEAR(ip->dst);
  NEXT;
}
HANDLER(Mov) {
  r[ip->dst] = r[ip->a];
  if constexpr (S) s[ip->dst] = s[ip->a];
  NEXT;
}
HANDLER(ZextSym) {
  if (IS_SYM(ip->a))
    m->result(r, s, ip->dst, m->ctx.zext(s[ip->a], ip->w));
  else {
    r[ip->dst] = r[ip->a];
    CLEAR(ip->dst);
  }
  NEXT;
}
HANDLER(TruncN) {
  if (IS_SYM(ip->a))
    m->result(r, s, ip->dst, m->ctx.trunc(s[ip->a], ip->w));
  else {
    r[ip->dst] = r[ip->a] & maskOf(ip->w);
    CLEAR(ip->dst);
  }
  NEXT;
}
HANDLER(SextN) {
  if (IS_SYM(ip->a))
    m->result(r, s, ip->dst, m->ctx.sext(s[ip->a], ip->w));
  else {
    r[ip->dst] = static_cast<uint64_t>(signExtend(r[ip->a], ip->c)) & maskOf(ip->w);
    CLEAR(ip->dst);
  }
  NEXT;
}
HANDLER(Select) {
  if (IS_SYM(ip->a)) {
    m->result(r, s, ip->dst,
              m->ctx.ite(s[ip->a], m->operand(r, s, ip->b, ip->w), m->operand(r, s, ip->c, ip->w)));
  } else {
    uint32_t from = r[ip->a] ? ip->b : ip->c;
    r[ip->dst] = r[from];
    if constexpr (S) s[ip->dst] = s[from];
  }
  NEXT;
}
HANDLER(Uninit) {
  // Only a term can carry "never written" to where it matters.
  if (m->checkUninit) {
    if constexpr (!S) {
      s = m->makeFrameSymbolic();
      t = m->symTable();
    }
    if (ip->w > 64) r[ip->dst + 1] = 0;
    m->result(r, s, ip->dst, m->neverWritten(*m->state->top, ip, ip->w));
  } else {
    r[ip->dst] = 0;
    if (ip->w > 64) r[ip->dst + 1] = 0;
    CLEAR(ip->dst);
  }
  NEXT;
}
namespace {
/// Lane number `index` of those in slots from ip->a on; out of range: lane 0, as below.
__attribute__((noinline)) ExprPtr chosenLane(Machine *m, const Inst *ip, uint64_t *r, ExprPtr *s) {
  ExprPtr index = s[ip->b], e = m->operand(r, s, ip->a, ip->w);
  for (uint64_t i = ip->imm; i-- > 1;)
    if (i <= maskOf(index->width()))
      e = m->ctx.ite(m->ctx.eq(index, m->ctx.constant(i, index->width())),
                     m->operand(r, s, static_cast<uint32_t>(ip->a + i), ip->w), e);
  return e;
}
} // namespace

namespace {
/// The lanes from ip->a on, with r[ip->c] in place of number `index`.
__attribute__((noinline)) void setChosenLane(Machine *m, const Inst *ip, uint64_t *r, ExprPtr *s) {
  ExprPtr index = s[ip->b], value = m->operand(r, s, ip->c, ip->w);
  for (uint64_t i = 0; i < ip->imm; i++) {
    const auto lane = static_cast<uint32_t>(i);
    ExprPtr e = m->operand(r, s, ip->a + lane, ip->w);
    if (i <= maskOf(index->width()))
      e = m->ctx.ite(m->ctx.eq(index, m->ctx.constant(i, index->width())), value, e);
    m->result(r, s, ip->dst + lane, e);
  }
}
} // namespace

HANDLER(CheckLane) {
  if (IS_SYM(ip->a)) [[unlikely]] {
    // Any value of the subscript's type may be a lane.
    const bool isAlways = ip->w < 64 && ip->imm > maskOf(ip->w);
    if (isAlways || m->wasChecked(ip)) NEXT;
    m->term = m->ctx.ule(m->ctx.constant(ip->imm, ip->w), s[ip->a]);
    if (m->term->isFalse()) NEXT;
  } else if (r[ip->a] < ip->imm) [[likely]] {
    NEXT;
  }
  m->bug = ip->c ? BugKind::OutOfBoundsWrite : BugKind::OutOfBoundsRead;
  m->message = IS_SYM(ip->a) ? fmt::format("a subscript that is no lane of a vector of {}", ip->imm)
                             : fmt::format("subscript {} of a vector of {} lanes",
                                           signExtend(r[ip->a], ip->w), ip->imm);
  STOP(IS_SYM(ip->a) ? Event::Check : Event::Bug);
}

HANDLER(ExtractElt) {
  if constexpr (S) {
    ExprPtr index = s[ip->b];
    if (index && ip->d == 1 && !index->has(expr::kHasUninit)) {
      m->result(r, s, ip->dst, chosenLane(m, ip, r, s));
      NEXT;
    }
  }
  NEED_CONCRETE(ip->b, 64);
  uint64_t lane = r[ip->b] < ip->imm ? r[ip->b] : 0; // out of range is poison in LLVM: lane 0
  for (uint32_t i = 0; i < ip->d; i++) {
    r[ip->dst + i] = r[ip->a + lane * ip->d + i];
    if constexpr (S) s[ip->dst + i] = s[ip->a + lane * ip->d + i];
  }
  NEXT;
}
HANDLER(InsertElt) {
  if constexpr (S) {
    ExprPtr index = s[ip->b];
    if (index && ip->d == 1 && !index->has(expr::kHasUninit)) {
      setChosenLane(m, ip, r, s);
      NEXT;
    }
  }
  NEED_CONCRETE(ip->b, 64);
  uint64_t lane = r[ip->b] < ip->imm ? r[ip->b] : 0;
  for (uint64_t i = 0; i < ip->imm * ip->d; i++) {
    r[ip->dst + i] = r[ip->a + i];
    if constexpr (S) s[ip->dst + i] = s[ip->a + i];
  }
  for (uint32_t i = 0; i < ip->d; i++) {
    r[ip->dst + lane * ip->d + i] = r[ip->c + i];
    if constexpr (S) s[ip->dst + lane * ip->d + i] = s[ip->c + i];
  }
  NEXT;
}

// --- arithmetic
// ---------------------------------------------------------------------------------------------

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
  ExprPtr a = m->operand(r, s, ip->a, w);
  ExprPtr b = imm ? m->ctx.constant(ip->imm, w) : m->operand(r, s, ip->b, w);
  if (!m->mayOverflow(K, a, b)) return false;
  m->term = m->overflowTerm(K, a, b, /*isSigned=*/true);
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
      m->symBinary(ip, r, s, w, Kind::KIND, IMM);                                                  \
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
  ExprPtr a = m->operand(r, s, ip->a, w), b = m->operand(r, s, ip->b, w);
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
      m->symBinary(ip, r, s, w, Kind::KIND, false);                                                \
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
      m->symBinary(ip, r, s, ip->w, Kind::KIND, IMM);                                              \
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
      m->symBinary(ip, r, s, w, Kind::KIND, IMM);                                                  \
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

// --- comparisons
// ----------------------------------------------------------------------------------------------

#define COMPARE(name, PRED, EXPRESSION, IMM)                                                       \
  HANDLER(name) {                                                                                  \
    if (IS_SYM(ip->a) || (!IMM && IS_SYM(ip->b))) [[unlikely]] {                                   \
      m->symCompare(ip, r, s, Predicate::PRED, IMM);                                               \
      NEXT;                                                                                        \
    }                                                                                              \
    [[maybe_unused]] const unsigned w = ip->w;                                                     \
    uint64_t a = r[ip->a], b = IMM ? ip->imm : r[ip->b];                                           \
    [[maybe_unused]] int64_t x = signExtend(a, w), y = signExtend(b, w);                           \
    r[ip->dst] = (EXPRESSION);                                                                     \
    CLEAR(ip->dst);                                                                                \
    NEXT;                                                                                          \
  }
COMPARE(Eq, Eq, a == b, false)
COMPARE(Ne, Ne, a != b, false)
COMPARE(Ult, Ult, a < b, false)
COMPARE(Ule, Ule, a <= b, false)
COMPARE(Slt, Slt, x < y, false)
COMPARE(Sle, Sle, x <= y, false)
COMPARE(EqI, Eq, a == b, true)
COMPARE(NeI, Ne, a != b, true)
COMPARE(UltI, Ult, a < b, true)
COMPARE(UleI, Ule, a <= b, true)
COMPARE(UgtI, Ugt, a > b, true)
COMPARE(UgeI, Uge, a >= b, true)
COMPARE(SltI, Slt, x < y, true)
COMPARE(SleI, Sle, x <= y, true)
COMPARE(SgtI, Sgt, x > y, true)
COMPARE(SgeI, Sge, x >= y, true)

// --- bit tricks
// -------------------------------------------------------------------------------------------------

#define BITS(name, NUM_OPS, EXPRESSION)                                                            \
  HANDLER(name) {                                                                                  \
    const unsigned w = ip->w;                                                                      \
    if (IS_SYM(ip->a) || (NUM_OPS > 1 && IS_SYM(ip->b)) || (NUM_OPS > 2 && IS_SYM(ip->c)))         \
        [[unlikely]] {                                                                             \
      ExprPtr ea = m->operand(r, s, ip->a, w),                                                     \
              eb = NUM_OPS > 1 ? m->operand(r, s, ip->b, w) : nullptr;                             \
      ExprPtr ec = NUM_OPS > 2 ? m->operand(r, s, ip->c, w) : nullptr;                             \
      m->result(r, s, ip->dst, m->bitTerm(Op::name, ea, eb, ec, w));                               \
      NEXT;                                                                                        \
    }                                                                                              \
    uint64_t a = r[ip->a];                                                                         \
    [[maybe_unused]] uint64_t b = NUM_OPS > 1 ? r[ip->b] : 0, c = NUM_OPS > 2 ? r[ip->c] : 0;      \
    [[maybe_unused]] int64_t x = signExtend(a, w), y = signExtend(b, w);                           \
    r[ip->dst] = static_cast<uint64_t>(EXPRESSION) & maskOf(w);                                    \
    CLEAR(ip->dst);                                                                                \
    NEXT;                                                                                          \
  }

namespace {
uint64_t funnel(uint64_t hi, uint64_t lo, uint64_t amount, unsigned w, bool left) {
  unsigned n = static_cast<unsigned>(amount % w);
  if (!n) return left ? hi : lo;
  return left ? (hi << n) | (lo >> (w - n)) : (lo >> n) | (hi << (w - n));
}
uint64_t saturateSigned(__int128 v, unsigned w) {
  __int128 max = (static_cast<__int128>(1) << (w - 1)) - 1, min = -max - 1;
  return static_cast<uint64_t>(v > max ? max : v < min ? min : v);
}
uint64_t reverseBits(uint64_t v, unsigned w) { return __builtin_bitreverse64(v) >> (64 - w); }
uint64_t shlSaturating(uint64_t a, uint64_t b, unsigned w, bool isSigned) {
  if (!isSigned)
    return (b >= w && a) || (b < w && ((a << b) & maskOf(w)) >> b != a) ? maskOf(w) : a << b;
  int64_t x = signExtend(a, w), z = signExtend((a << b) & maskOf(w), w);
  if (z >> b == x) return static_cast<uint64_t>(z);
  return x < 0 ? uint64_t(1) << (w - 1) : maskOf(w - 1);
}
} // namespace

BITS(Ctpop, 1, std::popcount(a))
BITS(Ctlz, 1, std::countl_zero(a) - static_cast<int>(64 - w))
BITS(Cttz, 1, a ? std::countr_zero(a) : static_cast<int>(w))
BITS(Bswap, 1, __builtin_bswap64(a) >> (64 - w))
BITS(Bitreverse, 1, reverseBits(a, w))
BITS(Fshl, 3, funnel(a, b, c, w, true))
BITS(Fshr, 3, funnel(a, b, c, w, false))
BITS(UMin, 2, a < b ? a : b)
BITS(UMax, 2, a > b ? a : b)
BITS(SMin, 2, x < y ? x : y)
BITS(SMax, 2, x > y ? x : y)
BITS(UAddSat, 2, static_cast<unsigned __int128>(a) + b > maskOf(w) ? maskOf(w) : a + b)
BITS(SAddSat, 2, saturateSigned(static_cast<__int128>(x) + y, w))
BITS(USubSat, 2, a > b ? a - b : 0)
BITS(SSubSat, 2, saturateSigned(static_cast<__int128>(x) - y, w))
BITS(UShlSat, 2, shlSaturating(a, b, w, false))
BITS(SShlSat, 2, shlSaturating(a, b, w, true))

HANDLER(AbsN) {
  const unsigned w = ip->w;
  const uint64_t smallest = uint64_t(1) << (w - 1);
  const bool check = (ip->flags & kNsw) && m->checkOverflow;
  if (IS_SYM(ip->a)) {
    ExprPtr a = s[ip->a];
    m->term = m->ctx.eq(a, m->ctx.constant(smallest, w));
    if (check && !m->term->isFalse() && !m->wasChecked(ip)) {
      m->describeOverflow("the absolute value", w);
      STOP(Event::Check);
    }
    m->result(r, s, ip->dst, m->bitTerm(Op::AbsN, a, nullptr, nullptr, w));
    NEXT;
  }
  uint64_t a = r[ip->a];
  if (check && a == smallest && !m->wasChecked(ip)) {
    m->describeOverflow("the absolute value", w);
    STOP(Event::Bug);
  }
  r[ip->dst] = a & smallest ? (0 - a) & maskOf(w) : a;
  CLEAR(ip->dst);
  NEXT;
}

#define OVERFLOW(name, KIND, SIGNED, OPERATOR)                                                     \
  HANDLER(name) {                                                                                  \
    const unsigned w = ip->w;                                                                      \
    if (IS_SYM(ip->a) || IS_SYM(ip->b)) [[unlikely]] {                                             \
      ExprPtr a = m->operand(r, s, ip->a, w), b = m->operand(r, s, ip->b, w);                      \
      ExprPtr o = m->overflowTerm(Kind::KIND, a, b, SIGNED);                                       \
      m->result(r, s, ip->dst, m->ctx.binary(Kind::KIND, a, b));                                   \
      m->result(r, s, ip->dst + 1, o);                                                             \
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
  SET_HANDLER(Const);
  SET_HANDLER(Mov);
  SET_HANDLER(ZextSym);
  SET_HANDLER(TruncN);
  SET_HANDLER(SextN);
  SET_HANDLER(Select);
  SET_HANDLER(Uninit);
  SET_HANDLER(CheckLane);
  SET_HANDLER(ExtractElt);
  SET_HANDLER(InsertElt);
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
  SET_HANDLER(Eq);
  SET_HANDLER(Ne);
  SET_HANDLER(Ult);
  SET_HANDLER(Ule);
  SET_HANDLER(Slt);
  SET_HANDLER(Sle);
  SET_HANDLER(EqI);
  SET_HANDLER(NeI);
  SET_HANDLER(UltI);
  SET_HANDLER(UleI);
  SET_HANDLER(UgtI);
  SET_HANDLER(UgeI);
  SET_HANDLER(SltI);
  SET_HANDLER(SleI);
  SET_HANDLER(SgtI);
  SET_HANDLER(SgeI);
  SET_HANDLER(Ctpop);
  SET_HANDLER(Ctlz);
  SET_HANDLER(Cttz);
  SET_HANDLER(Bswap);
  SET_HANDLER(Bitreverse);
  SET_HANDLER(Fshl);
  SET_HANDLER(Fshr);
  SET_HANDLER(AbsN);
  SET_HANDLER(UMin);
  SET_HANDLER(UMax);
  SET_HANDLER(SMin);
  SET_HANDLER(SMax);
  SET_HANDLER(UAddSat);
  SET_HANDLER(SAddSat);
  SET_HANDLER(USubSat);
  SET_HANDLER(SSubSat);
  SET_HANDLER(UShlSat);
  SET_HANDLER(SShlSat);
  SET_HANDLER(UAddO);
  SET_HANDLER(SAddO);
  SET_HANDLER(USubO);
  SET_HANDLER(SSubO);
  SET_HANDLER(UMulO);
  SET_HANDLER(SMulO);
}

} // namespace fathom::explore
