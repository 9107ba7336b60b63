// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/ProgramStart.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/AssumedMemory.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Forks.h"
#include "explore/decide/PathEnds.h"
#include "explore/decide/Places.h"
#include "explore/decide/Symbols.h"
#include "support/Check.h"

#include "fmt/format.h"

#include <algorithm>

namespace fathom::explore {

using evidence::LedgerCategory;

using namespace program;

uint64_t ProgramStart::placeString(State &s, const std::string &text, const char *label) {
  const ObjectState *o =
      s.memory.allocate(text.size() + 1, ObjectKind::Map, /*zeroed=*/true, {}, label);
  s.memory.writeConcrete(o->base(), reinterpret_cast<const uint8_t *>(text.c_str()),
                         text.size() + 1);
  return o->base();
}

std::unique_ptr<State> ProgramStart::initialState(std::string &error) {
  const FunctionCode *start = program_.find("__fathom_entry");
  // No runtime, or no libc's start-up code (a plain .ll file): the program starts at its function.
  bool bare = !start || !program_.find("_start_c");
  if (bare) start = program_.find(options_.entry.empty() ? "main" : options_.entry);
  if (!start) {
    error = fmt::format("{}: no function '{}' to start at", program_.modulePath,
                        options_.entry.empty() ? "main" : options_.entry);
    return nullptr;
  }
  auto s = std::make_unique<State>();
  s->id = forks_.nextStateId++;
  s->setWitness(std::make_shared<expr::Model>());
  s->memory.reserve(program_.slotsUsed);
  for (const Global &g : program_.globals)
    s->memory.place(g.address, g.sizeBytes, g.constant ? ObjectKind::Constant : ObjectKind::Global,
                    g.init, g.name);
  if (!machine_.calls.enter(*s, start->id, nullptr, 0, nullptr, {})) {
    error = "no room for the first function's frame";
    return nullptr;
  }
  stats_.states++;
  if (bare) {
    std::fill_n(s->top->bits(), start->argSlots, 0);
    if (!options_.entry.empty()) makeParametersSymbolic(*s, *start);
    return s;
  }
  // The block that the kernel would leave on the stack: argc, argv, NULL, environment, NULL, an
  // empty auxiliary vector.
  std::vector<uint64_t> block{options_.arguments.size()};
  for (const std::string &a : options_.arguments) block.push_back(placeString(*s, a, "argv"));
  block.push_back(0);
  for (const std::string &e : options_.environment) block.push_back(placeString(*s, e, "environ"));
  block.insert(block.end(), {0, 0, 0});
  const ObjectState *o =
      s->memory.allocate(block.size() * 8, ObjectKind::Map, /*zeroed=*/true, {}, "initial stack");
  uint64_t base = o->base();
  s->memory.writeConcrete(base, reinterpret_cast<const uint8_t *>(block.data()), block.size() * 8);
  s->top->bits()[0] = base;
  return s;
}

/// --entry FUNCTION: libc is started, and in place of main this function is called with symbolic
/// parameters.
bool ProgramStart::entryCall(State &s) {
  const FunctionCode *f = program_.find(options_.entry);
  FATHOM_CHECK(f, "the entry function was looked up before");
  s.top->resume = s.ip + 1;
  if (!machine_.calls.enter(s, f->id, nullptr, 0, nullptr, {s.top->function, 0})) {
    ends_.abandon(s, LedgerCategory::BoundSize, "no room for the entry function's frame");
    return false;
  }
  if (assumed_.isOn()) assumed_.forgetGlobals(s, *f);
  makeParametersSymbolic(s, *f);
  return true;
}

void ProgramStart::forgetArguments(State &s, const FunctionCode &f) {
  constexpr uint64_t kMaxArguments = 1 << 20;
  makeParametersSymbolic(s, f);
  if (f.params.empty() || f.params[0].pointer) return;
  ExprPtr count = machine_.registers.registerTerm(*s.top, f.params[0].slot, 32);
  ExprPtr isCount =
      ctx_.ult(ctx_.sub(count, ctx_.constant(1, 32)), ctx_.constant(kMaxArguments, 32));
  std::shared_ptr<const expr::Model> model;
  if (feasibility_.feasible(s, isCount, model) == Feasible::Yes)
    feasibility_.assume(s, isCount, model);
}

/// Of the function that was entered last. A pointer parameter points to an object of
/// kEntryObjectBytes symbolic bytes, or anywhere (--entry-memory lazy).
void ProgramStart::makeParametersSymbolic(State &s, const FunctionCode &f) {
  constexpr uint64_t kEntryObjectBytes = 64;
  const Memory::AllocSite site{f.id, 0};
  auto symbol = [&](const std::string &name, uint64_t size) {
    if (assumed_.isOn()) return assumed_.unknownBytes(s, name, size);
    ExprPtr e = ctx_.symbol(name, size);
    symbols_.addSymbol(s, e, name);
    return e;
  };
  auto fill = [&](uint64_t base, const std::string &name, uint64_t size) {
    ExprPtr bytes = symbol(name, size);
    for (uint64_t j = 0; j < size; j++) s.memory.writeSym(base + j, ctx_.read(bytes, j));
  };
  for (size_t i = 0; i < f.params.size(); i++) {
    const Param &p = f.params[i];
    std::string name = p.name.empty() ? fmt::format("arg{}", i) : p.name;
    if (p.byvalBytes) { // the function's own copy is there: Calls::enter
      fill(s.top->bits()[p.slot], name, p.byvalBytes);
      continue;
    }
    if (p.pointer && (!assumed_.isOn() || p.isResult)) {
      const uint64_t size =
          p.isResult ? p.pointeeBytes : std::max(kEntryObjectBytes, p.pointeeBytes);
      const bool isWritten = !p.isResult || !options_.checkUninit;
      const ObjectState *o = s.memory.allocate(size, ObjectKind::Map, isWritten, site, name);
      if (!p.isResult) fill(o->base(), name, size);
      machine_.registers.setRegister(*s.top, p.slot, ctx_.constant(o->base(), 64));
      continue;
    }
    // Aggregates and vectors are several scalars.
    const Shape &shape = program_.shapes[f.argShape];
    uint64_t size = 0, offset = 0;
    for (uint32_t slot = p.slot; slot < p.slot + p.slots; slot++)
      size += (shapeBits(shape[slot]) + 7) / 8;
    if (!size) continue;
    ExprPtr bytes = symbol(name, size);
    for (uint32_t slot = p.slot; slot < p.slot + p.slots; slot++) {
      const unsigned width = shapeBits(shape[slot]);
      if (!width) continue; // the second slot of a pair
      ExprPtr e = nullptr;
      for (unsigned j = 0; j < (width + 7) / 8; j++) {
        ExprPtr b = ctx_.read(bytes, offset++);
        e = e ? ctx_.concat(b, e) : b;
      }
      machine_.registers.setRegister(*s.top, slot, ctx_.trunc(e, width));
    }
  }
  if (f.varArg) {
    fill(s.top->saveArea, "...", Calls::kSaveAreaBytes);
    fill(s.top->varArea, "... in memory", Calls::kEntryVariableBytes);
    ledger_.add(LedgerCategory::BoundSize, places_.where(s),
                fmt::format("variable arguments are assumed to be numbers, no more than fit into "
                            "registers and {} bytes (--entry)",
                            Calls::kEntryVariableBytes));
  }
  for (const Param &p : f.params)
    if (p.pointer && !p.byvalBytes && !p.isResult && !assumed_.isOn())
      ledger_.add(
          LedgerCategory::BoundSize, places_.where(s),
          fmt::format("parameter {} is assumed to point to an object of its own of {} bytes, never "
                      "null (--entry)",
                      p.name.empty() ? "of pointer type" : p.name,
                      std::max(kEntryObjectBytes, p.pointeeBytes)));
}

} // namespace fathom::explore
