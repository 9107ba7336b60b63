// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/SkipCalls.h"

#include "explore/decide/Engine.h"

#include <algorithm>

namespace fathom::confirm {

using namespace explore;

Policy::Answer SkipCalls::call(Engine &engine, State &s, const FunctionCall &call) {
  const program::Program &program = engine.services.program;
  const program::FunctionCode &callee = *call.callee;
  const program::FunctionCode &caller = program.functions[s.top->function];
  if (!caller.own) return Answer::GoOn; // libc among itself
  const auto inst = static_cast<uint32_t>(call.ip - engine.interpreter.code.codeOf(caller.id));
  const OmittedSite site{caller.id, inst};
  if (executed_.contains(site)) return Answer::GoOn;
  const program::Location &at = program.location(caller, inst);
  const bool isRelated = defect_.isRelated[callee.id];
  if (isRelated && !defect_.namesCall[caller.id]) return Answer::GoOn;
  if (isAnyAt(defect_.places, program.files[at.file], at.line)) return Answer::GoOn;
  if (defect_.sinkCalls.isActive(engine, s)) return Answer::GoOn;
  const std::string name = symbolName(site);
  const CallEffect *effect = effects_.of(callee.id);
  if (effect && effect->isByLine && !effects_.knowsLine(caller.id, at.line)) return Answer::GoOn;
  if (!effect || !effect->isExact || isRelated) noteInexact(engine, site);
  // A call without result and effect has a symbol, too: a path tells by it that it skipped one.
  const unsigned width = callee.retSlots ? callee.retWidthBits : 8;
  const ExprPtr result = freshBytes(engine, s, name, (width + 7) / 8,
                                    callee.foreignResult == program::ForeignType::Pointer);
  if (effect && effect->isByLine) {
    const auto [writes, isNew] = atLine_.try_emplace(site);
    if (isNew) writes->second = effects_.writesAt(caller.id, {at.line});
    forget(engine, s, writes->second, name);
  } else if (effect) {
    forget(engine, s, effect->writes, name);
  }
  return returns(engine, s, call, callee.retSlots ? numberOf(engine, result, width) : nullptr);
}

std::vector<PointSite> UnknownErrno::points(const program::Program &program) const {
  std::vector<PointSite> out;
  const program::FunctionCode *place = program.find("__errno_location");
  for (const program::FunctionCode &f : program.functions)
    for (uint32_t i = 0; place && f.own && i < f.code.size(); ++i)
      if (f.code[i].op == program::Op::Call && f.code[i].c == place->id)
        out.push_back({f.id, i + 1});
  return out;
}

Policy::Answer UnknownErrno::at(Engine &engine, State &s) {
  const program::Inst *call = s.ip - 1;
  if (s.top->syms && s.top->syms[call->dst]) return Answer::GoOn;
  const uint64_t address = s.top->bits()[call->dst];
  constexpr uint64_t kBytes = 4;
  const ObjectState *object = s.memory.find(address);
  if (!object || address - object->base() + kBytes > object->size()) return Answer::GoOn;
  ExprPtr bytes = freshBytes(engine, s, kErrnoSymbol, kBytes, false);
  for (uint64_t i = 0; i < kBytes; ++i)
    s.memory.writeSym(address + i, engine.services.context.read(bytes, i));
  return Answer::GoOn;
}

} // namespace fathom::confirm
