// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that a call makes: local variables and their scopes, arguments in memory, and a thread's
// copies of thread-local variables.
#include "explore/interpreter/Locals.h"

#include "fmt/format.h"

#include <algorithm>

namespace fathom::explore {

using namespace program;

/// Of local variables. The model's are not where the program's are.
static unsigned laneOf(const FunctionCode &function) {
  return function.isModel ? FATHOM_LANE_OTHER : FATHOM_LANE_STACK;
}

const ObjectState *Locals::allocateArgument(State &s, Frame &f, uint64_t bytes, bool zeroed,
                                            Memory::AllocSite site, const std::string &name,
                                            uint64_t align) {
  if (bytes > options_.maxStackBytes ||
      s.memory.usage().stackBytes + bytes > options_.maxStackBytes) {
    run_.event = Event::StackOverflow;
    return nullptr;
  }
  const ObjectState *o = s.memory.allocate(bytes, ObjectKind::Stack, zeroed, site, name, align,
                                           laneOf(program_.functions[f.function]));
  if (o)
    f.allocas.push_back(o->base());
  else
    run_.event = Event::OutOfMemory;
  return o;
}

bool Locals::allocateLocal(const Inst *ip, uint64_t *r, uint64_t size) {
  State &s = *run_.state;
  if (size > options_.maxStackBytes ||
      s.memory.usage().stackBytes + size > options_.maxStackBytes) {
    run_.event = Event::StackOverflow;
    return false;
  }
  const FunctionCode &f = program_.functions[s.top->function];
  const ObjectState *o =
      s.memory.allocate(size, ObjectKind::Stack, /*zeroed=*/!run_.checkUninit,
                        {f.id, static_cast<uint32_t>(ip - code_.codeOf(f.id))}, {},
                        /*align=*/ip->c, laneOf(f));
  if (!o) {
    run_.event = Event::OutOfMemory;
    return false;
  }
  s.top->allocas.push_back(o->base());
  r[ip->dst] = o->base();
  memory_.forgetObject(*o);
  return true;
}

uint64_t Locals::threadLocal(uint64_t variable) {
  State &s = *run_.state;
  const uint32_t running = s.threads->running;
  if (running == 0) return variable;
  auto &locals = s.threads->all[running].locals;
  for (auto [of, copy] : locals)
    if (of == variable) return copy;
  auto global = std::find_if(program_.globals.begin(), program_.globals.end(),
                             [&](const Global &g) { return g.address == variable; });
  if (global == program_.globals.end()) return variable;
  const ObjectState *o = s.memory.allocate(global->sizeBytes, ObjectKind::Map, /*zeroed=*/true, {},
                                           fmt::format("{} of thread {}", global->name, running),
                                           /*align=*/16);
  if (!o) return variable;
  const uint64_t copy = o->base();
  if (!global->init.empty()) s.memory.writeConcrete(copy, global->init.data(), global->init.size());
  memory_.forgetObject(*s.memory.find(copy));
  locals.emplace_back(variable, copy);
  return copy;
}

void Locals::releaseLocals(uint64_t keep, const Inst *ip) {
  State &s = *run_.state;
  auto &list = s.top->allocas;
  while (list.size() > keep) {
    if (const ObjectState *o = s.memory.find(list.back()); o && (!o->freed || o->outOfScope)) {
      memory_.forgetObject(*o);
      s.memory.free(list.back(),
                    {s.top->function, static_cast<uint32_t>(ip - code_.codeOf(s.top->function))});
    }
    list.pop_back();
  }
}

void Locals::beginLifetime(uint64_t address) {
  // None of its pages is in `tlb`: no access was possible since its scope ended.
  run_.state->memory.enterScope(address);
}

void Locals::endLifetime(uint64_t address, const Inst *ip) {
  const uint32_t function = run_.state->top->function;
  if (const ObjectState *o = run_.state->memory.leaveScope(
          address, {function, static_cast<uint32_t>(ip - code_.codeOf(function))}))
    memory_.forgetObject(*o);
}

} // namespace fathom::explore
