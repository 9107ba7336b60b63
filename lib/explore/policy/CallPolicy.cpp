// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Engine.h"
#include "explore/policy/Policy.h"

namespace fathom::explore {

using namespace program;

std::vector<PointSite> CallPolicy::points(const Program &program) const {
  std::vector<PointSite> out;
  bool throughPointers = false;
  for (const FunctionCode &f : program.functions) throughPointers |= f.addressTaken && wants(f);
  for (const FunctionCode &f : program.functions)
    for (uint32_t i = 0; i < f.code.size(); i++)
      if (const Inst &in = f.code[i]; in.op == Op::Call
                                          ? wants(program.functions[in.c])
                                          : in.op == Op::CallIndirect && throughPointers)
        out.push_back({f.id, i});
  return out;
}

Policy::Answer CallPolicy::at(Engine &engine, State &s) {
  const Program &program = engine.services.program;
  const FunctionCode &caller = program.functions[s.top->function];
  uint32_t callee = s.ip->c;
  if (engine.interpreter.code.opAt(s.ip) == Op::CallIndirect) {
    if (s.top->syms && s.top->syms[s.ip->a]) return Answer::GoOn; // comes back when it is decided
    const std::optional<uint64_t> index = functionIndex(s.top->bits()[s.ip->a]);
    if (!index || *index >= program.functions.size() || !wants(program.functions[*index]))
      return Answer::GoOn;
    callee = static_cast<uint32_t>(*index);
  }
  return call(engine, s,
              {s.ip, &program.functions[callee], caller.pool.data() + s.ip->imm, s.ip->b});
}

Policy::Answer CallPolicy::returns(Engine &engine, State &s, const FunctionCall &call,
                                   ExprPtr value) {
  Interpreter &interpreter = engine.interpreter;
  if (value && call.callee->retSlots)
    interpreter.registers.setRegister(*s.top, call.ip->dst, value);
  s.ip = call.ip + 1;
  interpreter.state = &s;
  interpreter.coverage.coverAfterCall(s, s.ip);
  return Answer::Moved;
}

ExprPtr CallPolicy::argument(Engine &engine, const State &s, const FunctionCall &call, unsigned i,
                             unsigned width) {
  return engine.interpreter.registers.registerTerm(*s.top, call.args[i], width);
}

} // namespace fathom::explore
