// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the interpreter and its parts share while a state runs: the state, the rest of its turn, and
// why it stopped.
#ifndef FATHOM_EXPLORE_INTERPRETER_RUNNING_H
#define FATHOM_EXPLORE_INTERPRETER_RUNNING_H

#include "explore/Options.h"
#include "explore/state/State.h"
#include "expr/UnsimplifiedTerm.h"

#include <string>

namespace fathom::explore {

using program::Inst;
using program::Op;

enum class Event : uint8_t {
  Quantum,    ///< the instruction budget of this run is spent
  Branch,     ///< CondJmp on a term: `term`
  Switch,     ///< Switch on a term
  IndirectBr, ///< IndirectBr on a term or to no block of the function
  Memory,     ///< a load or store whose address is a term, or that is out of bounds
  MemOp,      ///< MemCpy, MemMove, MemSet with such an address
  Fault,      ///< a read of `faultBytes` at the concrete address `faultAddress` goes wrong
  Concretize, ///< the slot `slot` (`width` bits) holds a term that this operation cannot take; of a
              ///< call: the address of `faultBytes` bytes that are passed by value
  Check,      ///< `term` (width 1) is true when the operation goes wrong: bug of kind `bug`
  Bug,        ///< the operation goes wrong for certain: kind `bug`
  Call,       ///< CallIndirect on a term or on something that is no function of that signature
  External,   ///< CallExternal (or CallIndirect to an external): index `external`
  StackOverflow,
  Returned, ///< the bottom frame returned: the state is before its Ret
  Unsupported,
  Point,       ///< before an instruction at which a policy is asked
  OutOfMemory, ///< a local variable or an argument that finds no room
};

struct Running {
  Running(expr::ExprContext &context, const ExploreOptions &options)
      : ctx(context), checkOverflow(options.checkOverflow), checkUninit(options.checkUninit),
        symbolicFloats(options.symbolicFloats) {}

  expr::ExprContext &ctx;
  /// Records how terms are built, for policies that watch decisions; null: there is none.
  expr::UnsimplifiedTerms *unsimplified = nullptr;
  void built(ExprPtr result, expr::Kind kind, std::initializer_list<ExprPtr> operands) {
    if (unsimplified) [[unlikely]]
      unsimplified->built(result, kind, operands);
  }
  State *state = nullptr;
  int64_t budget = 0;
  int64_t blockWork = 0; ///< of this run: part of the budget that went into block operations
  const bool checkOverflow, checkUninit, symbolicFloats;

  Event event = Event::Quantum;
  // --- details of the last event
  // --------------------------------------------------------------------------
  ExprPtr term = nullptr;
  uint32_t slot = 0, width = 0, external = 0;
  uint64_t faultAddress = 0, faultBytes = 0;
  evidence::BugKind bug{};
  std::string message; ///< Bug, Check: what went wrong

  // These set `bug` and `message`.
  void describeTrap(uint64_t check, program::TrapCause cause);
  void describeSurplus(size_t given, size_t taken, const program::FunctionCode &callee);
  void describeOverflow(const char *what, unsigned width);

  /// Was the check of this instruction decided? Asking resets the answer.
  bool wasChecked(const Inst *ip) {
    if (state->checked != ip) return false;
    state->checked = nullptr;
    return true;
  }
};

} // namespace fathom::explore
#endif
