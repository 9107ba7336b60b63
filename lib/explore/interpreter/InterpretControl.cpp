// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handlers: jumps, calls and returns. ExecutableCode has put into these instructions what they
// need at run time:
//
//   Jmp                  c = relative target, b = weight, a = cover index of the target
//   CondJmp              c, d = relative targets, b = weight, dst = cover index if false,
//                        imm = cover index if true << 32 | BranchId
//   Switch, IndirectBr   b = weight
//   Call*                w = weight (at most 255)
//   Ret, RetVoid         c = weight
//
// where the weight is the number of instructions since the previous one that transfers control: the
// length of the straight line just run. Counting there costs one subtraction per block.
#include "evidence/BugKind.h"
#include "explore/interpreter/Handlers.h"

#include <algorithm>

namespace fathom::explore {

using program::FunctionCode;
using program::kOwn;

// Goes on at n, unless the budget of this run is spent.
#define JUMP(n)                                                                                    \
  do {                                                                                             \
    const Inst *target_ = (n);                                                                     \
    if (m->budget <= 0) [[unlikely]] {                                                             \
      ip = target_;                                                                                \
      STOP(Event::Quantum);                                                                        \
    }                                                                                              \
    GOTO(target_);                                                                                 \
  } while (0)

HANDLER(Jmp) {
  m->budget -= ip->b;
  m->coverage.coverTarget(*m->state, ip->a);
  JUMP(ip + static_cast<int32_t>(ip->c));
}

// TOUR(7)
HANDLER(CondJmp) {
  if (IS_SYM(ip->a)) [[unlikely]] {
    m->term = s[ip->a];
    STOP(Event::Branch);
  }
  m->budget -= ip->b;
  if (r[ip->a]) {
    if (ip->flags & kOwn) m->coverage.traceBranch(*m->state, static_cast<uint32_t>(ip->imm), 1);
    m->coverage.coverTarget(*m->state, ip->imm >> 32);
    JUMP(ip + static_cast<int32_t>(ip->c));
  }
  if (ip->flags & kOwn) m->coverage.traceBranch(*m->state, static_cast<uint32_t>(ip->imm), 0);
  m->coverage.coverTarget(*m->state, ip->dst);
  JUMP(ip + static_cast<int32_t>(ip->d));
}

HANDLER(Switch) {
  if (IS_SYM(ip->a)) [[unlikely]] {
    m->term = s[ip->a];
    STOP(Event::Switch);
  }
  m->budget -= ip->b;
  const Inst *target = m->switchTarget(ip, r[ip->a]);
  JUMP(target);
}

HANDLER(IndirectBr) {
  if (IS_SYM(ip->a)) [[unlikely]] {
    m->term = s[ip->a];
    STOP(Event::IndirectBr);
  }
  const Inst *target = m->indirectTarget(ip, r[ip->a]);
  if (!target) {
    m->term = nullptr;
    STOP(Event::IndirectBr);
  }
  m->budget -= ip->b;
  JUMP(target);
}

// After entering or leaving a function: the planes and the table of the frame that is now on top.
#define SWITCH_FRAME()                                                                             \
  do {                                                                                             \
    Frame *top_ = m->state->top;                                                                   \
    r = top_->bits();                                                                              \
    s = top_->syms;                                                                                \
    t = s ? m->symTable() : m->cleanTable();                                                       \
  } while (0)

HANDLER(Call) {
  if (!m->calls.call(ip, ip->c)) STOP(m->event); // and runs again: counted once
  m->budget -= ip->w;
  SWITCH_FRAME();
  GOTO(m->state->ip);
}

HANDLER(SurplusArguments) {
  if (!m->wasChecked(ip)) {
    m->describeSurplus(ip->a, ip->b, m->program().functions[ip->c]);
    STOP(Event::Bug);
  }
  NEXT;
}
HANDLER(CallIndirect) {
  if (IS_SYM(ip->a)) [[unlikely]] {
    m->term = s[ip->a];
    STOP(Event::Call);
  }
  const std::optional<uint64_t> known = program::functionIndex(r[ip->a]);
  if (!known) STOP(Event::Call);
  const uint64_t index = *known;
  const program::CallSig &sig = m->program().functions[m->state->top->function].callSigs[ip->c];
  if (index >= m->program().functions.size()) { // an external function, or nothing at all
    m->external = static_cast<uint32_t>(index - m->program().functions.size());
    if (m->external >= m->program().externals.size()) STOP(Event::Call);
    if (!m->calls.canCall(sig, m->program().externals[m->external])) STOP(Event::Call);
    STOP(Event::External);
  }
  const FunctionCode &callee = m->program().functions[index];
  if (sig.argShape != callee.argShape || sig.retShape != callee.retShape) [[unlikely]] {
    if (!m->calls.canCall(sig, callee)) STOP(Event::Call);
    if (m->calls.isSurplus(sig, callee) && !m->wasChecked(ip)) STOP(Event::Bug);
  }
  if (!m->calls.call(ip, static_cast<uint32_t>(index))) STOP(m->event);
  m->budget -= ip->w;
  SWITCH_FRAME();
  GOTO(m->state->ip);
}

HANDLER(CallExternal) {
  m->external = ip->c;
  STOP(Event::External);
}

HANDLER(Ret) {
  Frame *top = m->state->top;
  m->budget -= ip->c;
  if (!top->parent) STOP(Event::Returned);
  // One word, and no term, is nearly all there is.
  const unsigned n = ip->b;
  bool plain = n == 1 && m->calls.takesResult(top->parent->resume - 1);
  if constexpr (S) plain = plain && !s[ip->a];
  if (!plain) [[unlikely]] {
    m->calls.returnValue(ip, r, s);
  } else {
    const uint64_t word = r[ip->a]; // before the frame goes away
    m->calls.leave(*m->state, ip);
    Frame *caller = m->state->top;
    const uint32_t to = (caller->resume - 1)->dst;
    caller->bits()[to] = word;
    if (caller->syms) caller->syms[to] = nullptr;
  }
  const Inst *next = m->state->top->resume;
  m->coverage.coverAfterCall(*m->state, next);
  SWITCH_FRAME();
  GOTO(next);
}

HANDLER(RetVoid) {
  m->budget -= ip->c;
  if (!m->state->top->parent) STOP(Event::Returned);
  m->calls.leave(*m->state, ip);
  const Inst *next = m->state->top->resume;
  m->coverage.coverAfterCall(*m->state, next);
  SWITCH_FRAME();
  GOTO(next);
}

HANDLER(Unreachable) {
  m->bug = evidence::BugKind::Unreachable;
  m->message = "a place that cannot be reached according to the compiler";
  STOP(Event::Bug);
}
HANDLER(Trap) {
  if (ip->b) NEED_CONCRETE(ip->a, 64);
  m->describeTrap(ip->imm, static_cast<program::TrapCause>(ip->b ? r[ip->a] : ip->d));
  STOP(Event::Bug);
}
HANDLER(Point) {
  if (m->state->passed != ip) STOP(Event::Point);
  m->state->passed = nullptr;
  [[clang::musttail]] return static_cast<const Handler *>(
      t)[static_cast<unsigned>(m->code.opAt(ip))](ip, r, s, m, t);
}
HANDLER(Unsupported) { STOP(Event::Unsupported); }

HANDLER(VaStart) {
  NEED_CONCRETE(ip->a, 64);
  // x86-64's va_list: { i32 gp_offset, i32 fp_offset, ptr overflow_arg_area, ptr reg_save_area }.
  uint64_t list = r[ip->a];
  if (!m->state->memory.resolve(list, 24)) STOP(Event::Memory);
  const Frame *top = m->state->top;
  const FunctionCode &f = m->program().functions[top->function];
  m->memory.storeSlow(list, 8, uint64_t(48 + 16 * f.namedSse) << 32 | 8ull * f.namedInteger, 0);
  m->memory.storeSlow(list + 8, 8, top->varArea, 0);
  m->memory.storeSlow(list + 16, 8, top->saveArea, 0);
  NEXT;
}
HANDLER(VaCopy) {
  NEED_CONCRETE(ip->a, 64);
  NEED_CONCRETE(ip->b, 64);
  if (!m->state->memory.resolve(r[ip->a], 24) || !m->state->memory.resolve(r[ip->b], 24))
    STOP(Event::Memory);
  m->memory.copy(*m->state, r[ip->a], r[ip->b], 24);
  NEXT;
}
HANDLER(VaEnd) { NEXT; }

void fillControlHandlers(HandlerTables tables) {
  SET_HANDLER(Jmp);
  SET_HANDLER(CondJmp);
  SET_HANDLER(Switch);
  SET_HANDLER(IndirectBr);
  SET_HANDLER(Call);
  SET_HANDLER(SurplusArguments);
  SET_HANDLER(CallIndirect);
  SET_HANDLER(CallExternal);
  SET_HANDLER(Ret);
  SET_HANDLER(RetVoid);
  SET_HANDLER(Unreachable);
  SET_HANDLER(Trap);
  SET_HANDLER(Point);
  SET_HANDLER(Unsupported);
  SET_HANDLER(VaStart);
  SET_HANDLER(VaCopy);
  SET_HANDLER(VaEnd);
}

} // namespace fathom::explore
