// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entering and leaving calls: frames, arguments as the real machine passes them, and results.
#ifndef FATHOM_EXPLORE_INTERPRETER_CALLS_H
#define FATHOM_EXPLORE_INTERPRETER_CALLS_H

#include "explore/interpreter/Coverage.h"
#include "explore/interpreter/Locals.h"
#include "explore/interpreter/Registers.h"

#include <vector>

namespace fathom::explore {

class Calls {
public:
  static constexpr uint64_t kSaveAreaBytes = 176; ///< where variable arguments in registers are
  /// Room for variable arguments in memory, for the function that the exploration starts in: no
  /// call says how many there are.
  static constexpr uint64_t kEntryVariableBytes = 64;

  /// The interpreter's other parts, which outlive this one.
  struct Parts {
    const ExecutableCode &code;
    Coverage &coverage;
    MemoryAccess &memory;
    Registers &registers;
    Locals &locals;
  };
  Calls(Running &running, const program::Program &program, const ExploreOptions &options,
        const Parts &parts)
      : run_(running), ctx_(running.ctx), program_(program), options_(options), code_(parts.code),
        coverage_(parts.coverage), memory_(parts.memory), registers_(parts.registers),
        locals_(parts.locals) {}

  static void ownTopFrame(State &state);
  /// Enters a function with the arguments in the caller's slots `args`; caller may be null (entry).
  /// False: `event` says why (StackOverflow, OutOfMemory). On success state.top is the new frame
  /// and state.ip its first instruction.
  bool enter(State &state, uint32_t function, const uint32_t *argSlots, uint32_t numArgs,
             const std::vector<program::VarArg> *varArgs, Memory::AllocSite site);
  /// Leaves the top frame, by the instruction `at` (null: by a jump out of it, or with its thread):
  /// frees its stack objects. The caller sees to the result and to state.ip.
  void leave(State &state, const Inst *at = nullptr);
  /// The result of a call of an external function, in the width in which the call wants it.
  void setResult(Frame &frame, const Inst *call, const program::External &callee, ExprPtr value);
  /// Can a call through a pointer of this type reach a function of another one, as it can on the
  /// real machine? Surplus arguments are ignored, integers converted, missing arguments missed.
  bool canCall(const program::CallSig &sig, const program::FunctionCode &callee) const {
    return canCall(sig, callee.argShape, callee.retSlots, callee.retShape);
  }
  bool canCall(const program::CallSig &sig, const program::External &callee) const {
    return canCall(sig, callee.argShape, callee.retSlots, callee.retShape);
  }

  // --- of the running state, for handlers
  // --------------------------------------------------------------------
  bool call(const Inst *ip, uint32_t function); ///< false: `event` says why
  /// Does a call of the program's own pass arguments that the callee does not take? Then `bug` says
  /// so.
  bool isSurplus(const program::CallSig &sig, const program::FunctionCode &callee);
  /// Does this call, in the top frame's parent, take the result as the top frame's function has it?
  bool takesResult(const Inst *call) const {
    if (call->op == Op::Call) return true;
    const Op op = code_.opAt(call);
    if (op != Op::CallIndirect) return op == Op::Call;
    const Frame *top = run_.state->top;
    const program::FunctionCode &caller = program_.functions[top->parent->function];
    return caller.callSigs[call->c].retShape == program_.functions[top->function].retShape;
  }
  /// Leaves the top frame and hands over the result of this Ret: any number of words, to any kind
  /// of call.
  void returnValue(const Inst *ip, const uint64_t *r, const ExprPtr *s);

private:
  bool canCall(const program::CallSig &sig, uint32_t argShape, uint32_t retSlots,
               uint32_t retShape) const;
  /// \param least  size of the overflow area: so many bytes or more
  bool passVariable(State &s, Frame &f, const program::FunctionCode &callee, uint64_t least,
                    const std::vector<program::VarArg> *varArgs, Memory::AllocSite site);
  /// \param given  slots that the call passes
  bool copyByvalArguments(State &s, Frame &f, const program::FunctionCode &callee, uint32_t given,
                          Memory::AllocSite site);
  bool byvalArgument(const Inst *ip, uint32_t slot,
                     uint64_t bytes); ///< readable? false: `event` says why not
  void convertScalars(Frame &frame, uint32_t first, const program::Shape &from,
                      const program::Shape &to);
  /// The entry function's result belongs to its callers, so memory behind it is no leak.
  void keepForCallers(const program::FunctionCode &entry, const std::vector<uint64_t> &words,
                      const std::vector<ExprPtr> &terms);
  /// Scalars in the caller's slots from `first` on, of a call whose callee gives no result.
  void noResult(Frame &frame, uint32_t first, const program::Shape &shape);

  Running &run_;
  expr::ExprContext &ctx_;
  const program::Program &program_;
  const ExploreOptions &options_;
  const ExecutableCode &code_;
  Coverage &coverage_;
  MemoryAccess &memory_;
  Registers &registers_;
  Locals &locals_;
};

} // namespace fathom::explore
#endif
