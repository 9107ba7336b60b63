// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers: constants, moves, conversions between widths, selections and elements of vectors.
#include "evidence/BugKind.h"
#include "explore/machine/Handlers.h"

#include "fmt/format.h"

namespace fathom::explore {

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
    m->registers.result(r, s, ip->dst, m->operations.converted(expr::Kind::ZExt, s[ip->a], ip->w));
  else {
    r[ip->dst] = r[ip->a];
    CLEAR(ip->dst);
  }
  NEXT;
}
HANDLER(TruncN) {
  if (IS_SYM(ip->a))
    m->registers.result(r, s, ip->dst,
                        m->operations.converted(expr::Kind::Extract, s[ip->a], ip->w));
  else {
    r[ip->dst] = r[ip->a] & maskOf(ip->w);
    CLEAR(ip->dst);
  }
  NEXT;
}
HANDLER(SextN) {
  if (IS_SYM(ip->a))
    m->registers.result(r, s, ip->dst, m->operations.converted(expr::Kind::SExt, s[ip->a], ip->w));
  else {
    r[ip->dst] = static_cast<uint64_t>(signExtend(r[ip->a], ip->c)) & maskOf(ip->w);
    CLEAR(ip->dst);
  }
  NEXT;
}
HANDLER(Select) {
  if (IS_SYM(ip->a)) {
    m->registers.result(r, s, ip->dst,
                        m->operations.selected(s[ip->a], m->registers.operand(r, s, ip->b, ip->w),
                                               m->registers.operand(r, s, ip->c, ip->w)));
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
      s = m->registers.makeFrameSymbolic();
      t = m->symTable();
    }
    if (ip->w > 64) r[ip->dst + 1] = 0;
    m->registers.result(r, s, ip->dst, m->registers.neverWritten(*m->state->top, ip, ip->w));
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
  ExprPtr index = s[ip->b], e = m->registers.operand(r, s, ip->a, ip->w);
  for (uint64_t i = ip->imm; i-- > 1;)
    if (i <= maskOf(index->width()))
      e = m->ctx.ite(m->ctx.eq(index, m->ctx.constant(i, index->width())),
                     m->registers.operand(r, s, static_cast<uint32_t>(ip->a + i), ip->w), e);
  return e;
}
} // namespace

namespace {
/// The lanes from ip->a on, with r[ip->c] in place of number `index`.
__attribute__((noinline)) void setChosenLane(Machine *m, const Inst *ip, uint64_t *r, ExprPtr *s) {
  ExprPtr index = s[ip->b], value = m->registers.operand(r, s, ip->c, ip->w);
  for (uint64_t i = 0; i < ip->imm; i++) {
    const auto lane = static_cast<uint32_t>(i);
    ExprPtr e = m->registers.operand(r, s, ip->a + lane, ip->w);
    if (i <= maskOf(index->width()))
      e = m->ctx.ite(m->ctx.eq(index, m->ctx.constant(i, index->width())), value, e);
    m->registers.result(r, s, ip->dst + lane, e);
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
  m->bug = ip->c ? evidence::BugKind::OutOfBoundsWrite : evidence::BugKind::OutOfBoundsRead;
  m->message = IS_SYM(ip->a) ? fmt::format("a subscript that is no lane of a vector of {}", ip->imm)
                             : fmt::format("subscript {} of a vector of {} lanes",
                                           signExtend(r[ip->a], ip->w), ip->imm);
  STOP(IS_SYM(ip->a) ? Event::Check : Event::Bug);
}

HANDLER(ExtractElt) {
  if constexpr (S) {
    ExprPtr index = s[ip->b];
    if (index && ip->d == 1 && !index->has(expr::kHasUninit)) {
      m->registers.result(r, s, ip->dst, chosenLane(m, ip, r, s));
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

void fillMoveHandlers(HandlerTables tables) {
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
}

} // namespace fathom::explore
