// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers of frames: each has bits or a term.
#ifndef FATHOM_EXPLORE_INTERPRETER_REGISTERS_H
#define FATHOM_EXPLORE_INTERPRETER_REGISTERS_H

#include "explore/interpreter/DeferredOperations.h"
#include "explore/interpreter/ExecutableCode.h"
#include "explore/interpreter/PointerOrigins.h"
#include "explore/interpreter/Running.h"

namespace fathom::explore {

class Registers {
public:
  Registers(Running &running, const ExecutableCode &code)
      : run_(running), ctx_(running.ctx), code_(code) {}

  PointerOrigins origins;
  DeferredOperations deferred; ///< of terms that become results

  /// Value of a register: a term if it has one, else a constant of this width.
  ExprPtr registerTerm(const Frame &frame, uint32_t slot, unsigned width);
  /// Sets a register of the frame (which becomes symbolic if need be). Width <= 128.
  void setRegister(Frame &frame, uint32_t slot, ExprPtr value) {
    if (!value->isConst()) frame.makeSymbolic();
    if (frame.syms) return result(frame.bits(), frame.syms, slot, value);
    frame.bits()[slot] = value->word(0);
    if (value->width() > 64) frame.bits()[slot + 1] = value->word(1);
  }

  // The same, of the two planes of a frame.
  ExprPtr operand(const uint64_t *r, const ExprPtr *s, uint32_t slot, unsigned width);
  void result(uint64_t *r, ExprPtr *s, uint32_t slot, ExprPtr e);
  /// The result of a Gep: notes from which pointer, r[a], the address was computed.
  void addressResult(uint64_t *r, ExprPtr *s, const Inst *ip, ExprPtr address) {
    if (ExprPtr from = s[ip->a])
      origins.derive(address, from);
    else
      origins.note(address, r[ip->a]);
    result(r, s, ip->dst, address);
  }
  /// A value, of a variable that this instruction reads, that only a term can carry to where it
  /// decides something; 0 with --check-uninit=0.
  ExprPtr neverWritten(const Frame &frame, const Inst *at, unsigned bits);
  /// The plane of terms of the running state's top frame.
  ExprPtr *makeFrameSymbolic() {
    run_.state->top->makeSymbolic();
    return run_.state->top->syms;
  }

private:
  Running &run_;
  expr::ExprContext &ctx_;
  const ExecutableCode &code_;
};

} // namespace fathom::explore
#endif
