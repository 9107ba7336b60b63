// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers: comparisons, and bit tricks of up to 64 bits.
#include "explore/interpreter/Handlers.h"

#include <bit>

namespace fathom::explore {

using program::kNsw;
using program::Predicate;

// --- comparisons
// ----------------------------------------------------------------------------------------------

#define COMPARE(name, PRED, EXPRESSION, IMM)                                                       \
  HANDLER(name) {                                                                                  \
    if (IS_SYM(ip->a) || (!IMM && IS_SYM(ip->b))) [[unlikely]] {                                   \
      m->operations.symCompare(ip, r, s, Predicate::PRED, IMM);                                    \
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
      ExprPtr ea = m->registers.operand(r, s, ip->a, w),                                           \
              eb = NUM_OPS > 1 ? m->registers.operand(r, s, ip->b, w) : nullptr;                   \
      ExprPtr ec = NUM_OPS > 2 ? m->registers.operand(r, s, ip->c, w) : nullptr;                   \
      m->registers.result(r, s, ip->dst, m->operations.bitTerm(Op::name, ea, eb, ec, w));          \
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
    m->registers.result(r, s, ip->dst, m->operations.bitTerm(Op::AbsN, a, nullptr, nullptr, w));
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

void fillBitHandlers(HandlerTables tables) {
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
}

} // namespace fathom::explore
