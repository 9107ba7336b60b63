// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter around the handlers: running a state, targets of jumps.
#include "explore/interpreter/Interpreter.h"

#include "explore/interpreter/Handlers.h"
#include "support/Check.h"

#include <algorithm>

namespace fathom::explore {

using namespace program;

Interpreter::Interpreter(const Program &program, expr::ExprContext &context,
                         const ExploreOptions &options, const ExecutableCode *shared)
    : Running(context, options),
      code(shared ? ExecutableCode::sharing(*shared) : ExecutableCode(program, options)),
      coverage(program, code, options), memory(*this, code), registers(*this, code),
      operations(*this, registers), locals(*this, program, options, code, memory),
      calls(*this, program, options, {code, coverage, memory, registers, locals}),
      program_(program) {
  HandlerTables tables{clean_.data(), sym_.data()};
  fillMoveHandlers(tables);
  fillIntegerHandlers(tables);
  fillBitHandlers(tables);
  fillWideHandlers(tables);
  fillFloatHandlers(tables);
  fillMemoryHandlers(tables);
  fillControlHandlers(tables);
  for (unsigned i = 0; i < static_cast<unsigned>(Op::Count); i++)
    FATHOM_CHECK(clean_[i] && sym_[i], "an operation without a handler");
}

Event Interpreter::run(State &s, int64_t instructionBudget) {
  state = &s;
  memory.flushTlb();
  budget = instructionBudget;
  blockWork = 0;
  event = Event::Quantum;
  Frame *top = s.top;
  assert(top->refs == 1 && "running in a frame that another state shares");
  const Handler *table = top->syms ? symTable() : cleanTable();
  table[static_cast<unsigned>(s.ip->op)](s.ip, top->bits(), top->syms, this, table);
  auto ran = static_cast<uint64_t>(instructionBudget - budget - blockWork);
  s.instructions += ran;
  instructions += ran;
  return event;
}

const Inst *Interpreter::switchTarget(const Inst *ip, uint64_t value) {
  const FunctionCode &f = program_.functions[state->top->function];
  const SwitchTable &table = f.switches[ip->imm];
  auto it = std::lower_bound(table.values.begin(), table.values.end(), value);
  bool hit = it != table.values.end() && *it == value;
  auto n = static_cast<size_t>(it - table.values.begin());
  uint32_t target = hit ? table.targets[n] : table.defaultTarget;
  if (table.own) coverage.traceBranch(*state, table.branchId, hit ? table.sides[n] : 0);
  coverage.coverTarget(*state, uint64_t(f.coverBase) + target);
  return code.codeOf(f.id) + target;
}

const Inst *Interpreter::indirectTarget(const Inst *ip, uint64_t address) {
  const FunctionCode &f = program_.functions[state->top->function];
  for (const auto &[block, target] : f.blockTargets[ip->imm])
    if (block == address) {
      coverage.coverTarget(*state, uint64_t(f.coverBase) + target);
      return code.codeOf(f.id) + target;
    }
  return nullptr;
}

} // namespace fathom::explore
