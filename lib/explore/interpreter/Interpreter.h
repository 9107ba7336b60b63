// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter: runs one state until something needs a decision.
//
// Threaded code: every operation is a small function (a *handler*) that ends in a tail call to the
// next one's, with the interpreter's hot values in registers (preserve_none leaves all of them to
// us). There are two handler tables made from the same templates: one for frames without symbolic
// registers, which never looks at a term, and one for frames with them. A load that yields a
// symbolic byte moves the frame from the first to the second.
//
// What a handler cannot finish by itself ends the run with an Event; the Executor decides (asks the
// solver, forks, reports) and puts the state after, or back before, the instruction.
#ifndef FATHOM_EXPLORE_INTERPRETER_INTERPRETER_H
#define FATHOM_EXPLORE_INTERPRETER_INTERPRETER_H

#include "explore/interpreter/Calls.h"
#include "explore/interpreter/Coverage.h"
#include "explore/interpreter/ExecutableCode.h"
#include "explore/interpreter/Locals.h"
#include "explore/interpreter/MemoryAccess.h"
#include "explore/interpreter/Operations.h"
#include "explore/interpreter/Registers.h"
#include "explore/interpreter/Running.h"

#include <array>

namespace fathom::explore {

class Interpreter;
typedef void (*Handler)(const Inst *, uint64_t *, ExprPtr *, Interpreter *, const void *)
    __attribute__((preserve_none));

/// Its parts are public because handlers are free functions, and for the executor.
class Interpreter : public Running {
public:
  /// shared: code of the same program and entry, linked before (ExecutableCode::sharing); null: it
  /// is linked now, which takes time in proportion to the program's size.
  Interpreter(const program::Program &program, expr::ExprContext &context,
              const ExploreOptions &options, const ExecutableCode *shared = nullptr);
  Interpreter(const Interpreter &) = delete;

  /// Runs until an event. The state's top frame must be its own (Calls::ownTopFrame).
  Event run(State &state, int64_t instructionBudget);
  uint64_t instructions = 0; ///< in all runs

  ExecutableCode code;
  Coverage coverage;
  MemoryAccess memory;
  Registers registers;
  Operations operations;
  Locals locals;
  Calls calls;

  const program::Program &program() const { return program_; }
  expr::ExprContext &context() { return ctx; }

  const Inst *switchTarget(const Inst *ip, uint64_t value);     ///< traces and covers it
  const Inst *indirectTarget(const Inst *ip, uint64_t address); ///< null: no such block
  const Handler *cleanTable() const { return clean_.data(); }
  const Handler *symTable() const { return sym_.data(); }

private:
  const program::Program &program_;
  std::array<Handler, static_cast<size_t>(Op::Count)> clean_{}, sym_{};
};

/// The two tables are filled by one function per family of operations, each in its own file.
struct HandlerTables {
  Handler *clean;
  Handler *sym;
};
void fillMoveHandlers(HandlerTables tables);
void fillIntegerHandlers(HandlerTables tables);
void fillBitHandlers(HandlerTables tables);
void fillWideHandlers(HandlerTables tables);
void fillFloatHandlers(HandlerTables tables);
void fillMemoryHandlers(HandlerTables tables);
void fillControlHandlers(HandlerTables tables);

} // namespace fathom::explore
#endif
