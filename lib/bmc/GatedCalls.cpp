// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: those that lead to the place are followed, others change what they may change.
#include "bmc/GatedCode.h"
#include "program/Address.h"
#include "program/Operands.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::bmc {

using program::ForeignType;
using program::FunctionCode;
using program::Inst;
using program::Op;

namespace {

bool isNamed(const std::string &name, std::initializer_list<const char *> names) {
  return std::ranges::any_of(names, [&](const char *n) { return name == n; });
}

bool allocates(const std::string &name) {
  return isNamed(name, {"malloc", "__libc_malloc", "valloc", "pvalloc", "memalign", "aligned_alloc",
                        "strdup", "__strdup", "strndup", "__strndup"});
}
bool reallocates(const std::string &name) {
  return isNamed(name, {"realloc", "__libc_realloc", "reallocarray"});
}
bool releases(const std::string &name) { return isNamed(name, {"free", "__libc_free", "cfree"}); }

/// They read and write what their arguments point to, and nothing else.
bool usesOnlyArguments(const std::string &name) {
  return allocates(name) ||
         isNamed(name,
                 {"strlen", "strnlen", "strcpy",     "strncpy",     "stpcpy", "strcat",  "strncat",
                  "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strchr", "strrchr", "strstr",
                  "memcpy", "memmove", "memset",     "memcmp",      "memchr", "atoi",    "atol",
                  "strtol", "strtoul", "strspn",     "strcspn",     "strpbrk"});
}

/// They change where control goes in ways that are not followed.
bool jumps(const std::string &name) {
  return isNamed(name, {"setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "vfork"});
}

} // namespace

void GatedCode::call(Activation &activation, uint32_t index, Flow &flow) {
  const Inst &inst = activation.f.code[index];
  const CallSite at{inst, index, activation.isOfSink || knowledge_.isSink(activation.f.id, index)};
  switch (inst.op) {
  case Op::CallIndirect: return callPointer(activation, at, flow);
  case Op::CallExternal: {
    const std::string &name = program_.externals[inst.c].name;
    if (callMemory(name, activation, at, flow)) return;
    if (program_.externals[inst.c].body != program::kNoIndex)
      return callFunction(activation, at, program_.externals[inst.c].body, flow);
    if (at.isSink) showArguments(activation, at, flow);
    giveAwayArguments(activation, at, flow);
    forgetResults(activation, inst, flow);
    accesses_.mayHaveFreed(flow);
    return accesses_.change(flow, Changes::all());
  }
  default: return callFunction(activation, at, inst.c, flow);
  }
}

void GatedCode::callFunction(Activation &activation, const CallSite &at, uint32_t callee,
                             Flow &flow) {
  const FunctionCode &f = program_.functions[callee];
  if (!f.own && callMemory(f.name, activation, at, flow)) return;
  if (at.isSink && !knowledge_.countsAtPlace(callee))
    return callFunction(activation, {at.inst, at.index, false}, callee, flow);
  if (jumps(f.name)) return fail(fmt::format("{} calls {}", activation.f.name, f.name));
  const bool isRelated = knowledge_.isRelated(callee);
  const bool isOfSink = at.isSink && f.own, isWanted = isRelated || isOfSink;
  bool isActive = false;
  for (const Activation *a = &activation; a; a = a->caller) isActive |= a->f.id == callee;
  // Its own runs are followed once. The end of the program comes to what was registered for it,
  // and to little else.
  const bool isEnd =
      isRelated && !isOfSink && !knowledge_.returns(callee) && !knowledge_.leadsDirectly(callee);
  const bool canFollow = !isActive && !isEnd && !f.varArg && !f.code.empty();
  if (canFollow && (isWanted || (f.own && activation.depth)))
    return enter(activation, at, callee, flow);
  if (isOfSink && !isActive)
    accesses_.show(flow, context_.trueExpr());
  else if (isOfSink || knowledge_.leadsToSink(callee))
    accesses_.show(flow, context_.bvNot(accesses_.literalOf(Assumption::OtherCalls)));
  skip(activation, at, callee, flow);
}

void GatedCode::callPointer(Activation &activation, const CallSite &at, Flow &flow) {
  const std::vector<uint32_t> *callees = knowledge_.calledByPointer(activation.f.id);
  const ExprPtr pointer = accesses_.operand(flow, at.inst.a, 64);
  if (at.isSink) accesses_.showAccess(flow, pointer, accesses_.targetsOf(pointer));
  std::optional<Flow> after;
  if (!callees) {
    accesses_.show(flow, context_.bvNot(accesses_.literalOf(Assumption::OtherCalls)));
    if (at.isSink) accesses_.show(flow, context_.trueExpr());
  } else {
    for (const uint32_t callee : *callees) {
      const FunctionCode &f = program_.functions[callee];
      if (!knowledge_.isRelated(callee) && !(at.isSink && f.own)) continue;
      Flow there = flow;
      const ExprPtr isThis =
          context_.eq(pointer, context_.constant(program::functionAddress(callee), 64));
      there.guard = context_.bvAnd(there.guard, isThis);
      flow.guard = context_.bvAnd(flow.guard, context_.bvNot(isThis));
      if (there.guard->isFalse()) continue;
      callFunction(activation, at, callee, there);
      if (isOver()) return;
      join(after, std::move(there));
    }
  }
  Changes changes = Changes::all();
  bool frees = !callees;
  if (callees) {
    const uint32_t line = program_.location(activation.f, at.index).line;
    changes = knowledge_.changesAt(activation.f.id, {line});
    for (const uint32_t callee : *callees) frees |= knowledge_.mayFree(callee);
  }
  if (at.isSink) showArguments(activation, at, flow);
  giveAwayArguments(activation, at, flow);
  forgetResults(activation, at.inst, flow);
  accesses_.change(flow, changes);
  if (frees) accesses_.mayHaveFreed(flow);
  if (!after) return;
  join(after, std::move(flow));
  flow = std::move(*after);
}

bool GatedCode::callMemory(const std::string &name, Activation &activation, const CallSite &at,
                           Flow &flow) {
  const Inst &inst = at.inst;
  const auto argument = [&](uint32_t n) {
    return accesses_.operand(flow, activation.f.pool[inst.imm + n], 64);
  };
  if (allocates(name)) {
    if (at.isSink) showArguments(activation, at, flow);
    flow.slots[inst.dst] = accesses_.allocate(flow, objects_.freshBase());
    return true;
  }
  if (name == "calloc") {
    flow.slots[inst.dst] = accesses_.allocate(flow, objects_.zeroBase());
    return true;
  }
  if (releases(name) && inst.b >= 1) {
    accesses_.release(flow, argument(0), context_.trueExpr(), at.isSink);
    return true;
  }
  if (reallocates(name) && inst.b >= 2) {
    const ExprPtr old = argument(0);
    const ExprPtr moved = accesses_.allocate(flow, objects_.freshBase());
    // With no bytes it frees, and gives null.
    ExprPtr size = argument(1);
    if (inst.b >= 3) size = context_.mul(size, argument(2));
    const ExprPtr zero = context_.constant(0, 64);
    accesses_.release(flow, old, context_.bvOr(context_.ne(moved, zero), context_.eq(size, zero)),
                      at.isSink);
    flow.slots[inst.dst] = moved;
    return true;
  }
  return false;
}

bool GatedCode::mayFree(const Inst &inst) const {
  switch (inst.op) {
  case Op::CallIndirect: return true;
  case Op::Call: return knowledge_.mayFree(inst.c);
  case Op::CallExternal: {
    const std::string &name = program_.externals[inst.c].name;
    return !allocates(name) && name != "calloc";
  }
  default: return false;
  }
}

void GatedCode::enter(Activation &activation, const CallSite &at, uint32_t callee, Flow &flow) {
  const FunctionCode &f = program_.functions[callee];
  const Inst &inst = at.inst;
  const bool isRelated = knowledge_.isRelated(callee) || at.isSink;
  Activation inner{f,
                   shapeOf(f),
                   &activation,
                   at.isSink,
                   isRelated ? activation.depth : activation.depth - 1,
                   isOnWayAfter(activation, at.index)};
  if (isOver()) return;
  std::vector<ExprPtr> slots(f.slots);
  for (const program::Param &parameter : f.params)
    for (uint32_t i = 0; i < parameter.slots; ++i) {
      const uint32_t n = parameter.slot + i;
      if (n < inst.b)
        slots[n] = accesses_.operand(flow, activation.f.pool[inst.imm + n],
                                     slotWidth(parameter.widthBits));
      // A copy of a structure.
      if (parameter.byvalBytes)
        slots[n] = context_.constant(
            objects_.at(objects_.addLocal(callee, parameter.byvalBytes)).base, 64);
    }
  std::vector<ExprPtr> outer = std::move(flow.slots);
  flow.slots = std::move(slots);
  follow(inner, std::move(flow));
  flow = Flow{};
  flow.guard = context_.falseExpr();
  if (!inner.returned) return; // it does not come back
  flow = std::move(*inner.returned);
  flow.slots = std::move(outer);
  const uint32_t wanted = program::resultSlots(program_, activation.f, inst);
  for (uint32_t i = 0; i < std::min<size_t>(wanted, inner.results.size()); ++i)
    flow.slots[inst.dst + i] = inner.results[i];
}

void GatedCode::skip(Activation &activation, const CallSite &at, uint32_t callee, Flow &flow) {
  const FunctionCode &f = program_.functions[callee];
  if (at.isSink && !f.own) showArguments(activation, at, flow);
  if (!knowledge_.returns(callee)) {
    flow.guard = context_.falseExpr();
    return;
  }
  const uint32_t line = program_.location(activation.f, at.index).line;
  giveAwayArguments(activation, at, flow);
  accesses_.change(flow, knowledge_.changesOf(callee, activation.f.id, line));
  forgetResults(activation, at.inst, flow);
  if (f.retSlots == 1 && f.retWidthBits && f.retWidthBits < 64)
    flow.slots[at.inst.dst] = context_.trunc(flow.slots[at.inst.dst], f.retWidthBits);
  if (knowledge_.mayFree(callee)) accesses_.mayHaveFreed(flow);
}

void GatedCode::giveAwayArguments(const Activation &activation, const CallSite &at, Flow &flow) {
  const auto give = [&](uint32_t slot) {
    if (flow.slots[slot]) accesses_.giveAway(flow, flow.slots[slot]);
  };
  for (uint32_t n = 0; n < at.inst.b; ++n) give(activation.f.pool[at.inst.imm + n]);
  if (at.inst.d < activation.f.varArgs.size())
    for (const program::VarArg &argument : activation.f.varArgs[at.inst.d])
      // Numbers of 128 bits have two slots.
      for (uint32_t i = 0; i < (argument.sizeBytes == 16 && !argument.byval ? 2u : 1u); ++i)
        give(argument.slot + i);
}

std::string GatedCode::calleeName(const Inst &inst) const {
  switch (inst.op) {
  case Op::Call: return program_.functions[inst.c].name;
  case Op::CallExternal: return program_.externals[inst.c].name;
  default: return "";
  }
}

/// Is the argument in this slot one?
bool GatedCode::isPointer(const Inst &inst, uint32_t slot) const {
  if (inst.op == Op::CallIndirect) return true;
  if (inst.op == Op::CallExternal) {
    const std::vector<ForeignType> &types = program_.externals[inst.c].params;
    return slot >= types.size() || types[slot] == ForeignType::Pointer;
  }
  for (const program::Param &parameter : program_.functions[inst.c].params)
    if (parameter.slot == slot) return parameter.pointer;
  return true;
}

/// A function of a library uses what its arguments point to.
void GatedCode::showArguments(Activation &activation, const CallSite &at, Flow &flow) {
  // Most use more than what their arguments point to: files, callbacks, what they kept.
  if (!usesOnlyArguments(calleeName(at.inst)))
    accesses_.show(flow, context_.bvNot(accesses_.literalOf(Assumption::OtherCalls)));
  const auto showAt = [&](uint32_t slot) {
    const ExprPtr value = accesses_.operand(flow, slot, 64);
    accesses_.showAccess(flow, value, accesses_.targetsOf(value));
  };
  for (uint32_t n = 0; n < at.inst.b; ++n)
    if (isPointer(at.inst, n)) showAt(activation.f.pool[at.inst.imm + n]);
  if (at.inst.d < activation.f.varArgs.size())
    for (const program::VarArg &argument : activation.f.varArgs[at.inst.d])
      // A number as wide as a pointer only makes the question weaker.
      if (argument.sizeBytes == 8 && argument.passed == program::ArgClass::Integer)
        showAt(argument.slot);
}

} // namespace fathom::bmc
