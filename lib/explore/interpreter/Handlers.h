// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the interpreter's files: how a handler is written.
//
//   HANDLER(Add64) {
//     if (S && (s[ip->a] || s[ip->b])) m->symBinary(...); else { r[ip->dst] = ...; CLEAR(ip->dst);
//     } NEXT;
//   }
//
// Names in a handler:
//   ip   the instruction; its fields are in program/Code.h
//   r    the frame's slots as numbers
//   s    the frame's slots as terms; null: the slot is a number
//   m    the interpreter
//   t    the table of handlers that runs: with terms or without
//   S    a template parameter, false in the table for frames without terms, where s is null and
//   must
//        not be touched
#ifndef FATHOM_EXPLORE_INTERPRETER_HANDLERS_H
#define FATHOM_EXPLORE_INTERPRETER_HANDLERS_H

#include "explore/interpreter/Interpreter.h"

#define HANDLER(name)                                                                              \
  template <bool S>                                                                                \
  __attribute__((preserve_none)) static void op##name(                                             \
      const Inst *ip, uint64_t *r, ExprPtr *s, Interpreter *m, [[maybe_unused]] const void *t)

// Goes on at instruction n, with the current planes and table.
#define GOTO(n)                                                                                    \
  do {                                                                                             \
    const Inst *next_ = (n);                                                                       \
    [[clang::musttail]] return static_cast<const Handler *>(t)[static_cast<unsigned>(next_->op)](  \
        next_, r, s, m, t);                                                                        \
  } while (0)
#define NEXT GOTO(ip + 1)

// Stops before this instruction.
#define STOP(ev)                                                                                   \
  do {                                                                                             \
    m->state->ip = ip;                                                                             \
    m->event = (ev);                                                                               \
    return;                                                                                        \
  } while (0)

#define IS_SYM(slot) (S && s[slot])
#define CLEAR(slot)                                                                                \
  do {                                                                                             \
    if constexpr (S) s[slot] = nullptr;                                                            \
  } while (0)
// This operation takes no term in that slot.
#define NEED_CONCRETE(slotNo, widthBits)                                                           \
  do {                                                                                             \
    if (IS_SYM(slotNo)) [[unlikely]] {                                                             \
      m->slot = (slotNo);                                                                          \
      m->width = (widthBits);                                                                      \
      STOP(Event::Concretize);                                                                     \
    }                                                                                              \
  } while (0)

#define SET_HANDLER(name)                                                                          \
  tables.clean[static_cast<unsigned>(Op::name)] = op##name<false>;                                 \
  tables.sym[static_cast<unsigned>(Op::name)] = op##name<true>

namespace fathom::explore {

constexpr uint64_t maskOf(unsigned w) { return w >= 64 ? ~uint64_t(0) : (uint64_t(1) << w) - 1; }
constexpr int64_t signExtend(uint64_t v, unsigned w) {
  return w >= 64 ? static_cast<int64_t>(v) : static_cast<int64_t>(v << (64 - w)) >> (64 - w);
}

} // namespace fathom::explore
#endif
