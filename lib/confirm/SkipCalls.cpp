// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/SkipCalls.h"

#include "explore/decide/Engine.h"

#include <algorithm>

namespace fathom::confirm {

using namespace explore;

/// So many unknown bytes as one number; the first is the lowest.
static ExprPtr numberOf(expr::ExprContext &context, ExprPtr bytes, unsigned width) {
  ExprPtr value = nullptr;
  for (unsigned i = 0; i < (width + 7) / 8; ++i) {
    ExprPtr byte = context.read(bytes, i);
    value = value ? context.concat(byte, value) : byte;
  }
  return context.trunc(value, width);
}

/// Bytes of which nothing is known. A pointer among them gets an object when it is used.
static ExprPtr freshBytes(Engine &engine, State &s, const std::string &of, uint64_t size,
                          bool isPointer) {
  const std::string name = kSkippedPrefix + of;
  if (isPointer) return engine.assumed.unknownBytes(s, name, size);
  ExprPtr bytes = engine.symbols.symbolFor(s, name, size);
  engine.symbols.addSymbol(s, bytes, name);
  return bytes;
}

Policy::Answer SkipCalls::call(Engine &engine, State &s, const FunctionCall &call) {
  const program::Program &program = engine.services.program;
  const program::FunctionCode &callee = *call.callee;
  const program::FunctionCode &caller = program.functions[s.top->function];
  if (!caller.own) return Answer::GoOn; // libc among itself
  const auto inst = static_cast<uint32_t>(call.ip - engine.machine.code.codeOf(caller.id));
  const program::Location &at = program.location(caller, inst);
  if (std::ranges::any_of(places_,
                          [&](const Place &p) { return p.isAt(program.files[at.file], at.line); }))
    return Answer::GoOn;
  // A call without result and effect has a symbol, too: a path tells by it that it skipped one.
  const unsigned width = callee.retSlots ? callee.retWidthBits : 8;
  ExprPtr result = freshBytes(engine, s, callee.name, (width + 7) / 8,
                              callee.foreignResult == program::ForeignType::Pointer);
  if (const CallEffect *effect = effects_.of(callee.id))
    for (uint32_t index : effect->variables) {
      const program::Global &variable = program.globals[index];
      ExprPtr bytes = freshBytes(engine, s, variable.name, variable.sizeBytes, false);
      for (uint64_t i = 0; i < variable.sizeBytes; ++i)
        s.memory.writeSym(variable.address + i, engine.services.context.read(bytes, i));
    }
  return returns(engine, s, call,
                 callee.retSlots ? numberOf(engine.services.context, result, width) : nullptr);
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
  ExprPtr bytes = freshBytes(engine, s, "errno", kBytes, false);
  for (uint64_t i = 0; i < kBytes; ++i)
    s.memory.writeSym(address + i, engine.services.context.read(bytes, i));
  return Answer::GoOn;
}

} // namespace fathom::confirm
