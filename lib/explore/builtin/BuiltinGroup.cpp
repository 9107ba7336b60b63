// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/builtin/BuiltinGroup.h"

#include "explore/decide/Decisions.h"

#include "explore/decide/Addresses.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/Places.h"
#include "explore/decide/Sizes.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/UninitUses.h"
#include "explore/decide/Witnesses.h"
#include "explore/interpreter/TermBounds.h"

#include "fmt/format.h"

namespace fathom::explore {

ExprPtr BuiltinGroup::term(State &s, const Call &c, unsigned i, unsigned width) {
  if (i >= c.numArgs) return ctx_.constant(0, width);
  ExprPtr e = interpreter_.registers.registerTerm(*s.top, c.args[i], width);
  return e->width() == width ? e : e->width() > width ? ctx_.trunc(e, width) : ctx_.zext(e, width);
}

bool BuiltinGroup::isConcrete(State &s, const Call &c, unsigned i) {
  return i >= c.numArgs || !s.top->syms || !s.top->syms[c.args[i]];
}

uint64_t BuiltinGroup::concreteArgument(State &s, const Call &c, unsigned i, const char *what,
                                        unsigned width) {
  if (isConcrete(s, c, i)) return number(s, c, i);
  uint64_t v = feasibility_.concretize(s, term(s, c, i, width),
                                       fmt::format("{} of {}", what, c.callee->name));
  interpreter_.registers.setRegister(
      *s.top, c.args[i],
      ctx_.constant(v, interpreter_.registers.registerTerm(*s.top, c.args[i], width)->width()));
  decisions_.keep(s);
  return v;
}

bool BuiltinGroup::forked(State &s, const Call &c, unsigned i, unsigned width) {
  if (isConcrete(s, c, i)) return true;
  ExprPtr e = term(s, c, i, width);
  if (e->has(expr::kHasUninit)) e = uninitUses_.settleUninit(s, e, "an argument");
  // What was never written and is anything is not gone through value by value.
  const uint64_t v =
      e->has(expr::kHasUninit)
          ? feasibility_.concretize(s, e, fmt::format("argument {} of {}", i + 1, c.callee->name))
          : feasibility_.splitOnValue(s, e);
  interpreter_.registers.setRegister(*s.top, c.args[i], ctx_.constant(v, width));
  decisions_.keep(s);
  return !stepContext_.step->ready;
}

std::optional<uint64_t> BuiltinGroup::sized(State &s, const Call &c, unsigned i, uint64_t unit) {
  if (isConcrete(s, c, i)) return number(s, c, i);
  ExprPtr e = term(s, c, i);
  if (e->has(expr::kHasUninit)) e = uninitUses_.settleUninit(s, e, "an argument");
  const std::optional<uint64_t> v =
      sizes_.number(s, e, unit, unsignedMax(e), "size of " + c.callee->name);
  if (!v) return v;
  interpreter_.registers.setRegister(*s.top, c.args[i], ctx_.constant(*v, 64));
  decisions_.keep(s);
  return stepContext_.step->ready ? std::nullopt : v;
}

std::string BuiltinGroup::text(State &s, uint64_t address, uint64_t limit) {
  std::string out;
  for (; out.size() < limit; address++) {
    const ObjectState *o = s.memory.resolve(address, 1);
    if (!o) break;
    ByteValue b = s.memory.read(*o, address - o->base());
    uint64_t v = b.sym ? witnesses_.witnessValue(s, b.sym) : b.value;
    if (!v) break;
    out += static_cast<char>(v);
  }
  return out;
}

void BuiltinGroup::returns(State &s, const Call &c, uint64_t value) {
  returnsTerm(s, c, ctx_.constant(value, 64));
}

void BuiltinGroup::returnsTerm(State &s, const Call &c, ExprPtr value) {
  interpreter_.calls.setResult(*s.top, c.ip, *c.callee, value);
}

/// The program's own call that led here: two strings that different functions lose are not one leak
/// in strdup. Without one (start-up code), the call itself.
Memory::AllocSite BuiltinGroup::site(const State &s, const Call &c) const {
  const uint32_t stack = places_.stacks.intern(s.top, c.ip);
  const program::Inst *at = c.ip;
  for (const Frame *f = s.top; f; f = f->parent) {
    if (program_.functions[f->function].own)
      return {f->function, static_cast<uint32_t>(at - interpreter_.code.codeOf(f->function)),
              stack};
    if (f->parent) at = f->parent->resume - 1;
  }
  return {s.top->function, static_cast<uint32_t>(c.ip - interpreter_.code.codeOf(s.top->function)),
          stack};
}

bool BuiltinGroup::bounds(State &s, uint64_t address, uint64_t size, bool write) {
  if (!size) return true;
  const ObjectState *o = s.memory.resolve(address, size);
  if (o && !(write && o->info->kind == ObjectKind::Constant)) return true;
  return addresses_.resolve(s, ctx_.constant(address, 64), size, write).object != nullptr;
}

void BuiltinGroup::snapshot(State &s, uint64_t address, uint64_t size, std::vector<uint8_t> &bytes,
                            std::vector<ExprPtr> &terms) {
  bytes.resize(size);
  if (!size) return;
  const ObjectState *o = s.memory.resolve(address, size, Memory::Extent::Capacity);
  for (uint64_t i = 0; i < size; i++) {
    ByteValue b = s.memory.read(*o, address - o->base() + i);
    bytes[i] = b.value;
    if (b.sym) {
      if (terms.empty()) terms.resize(size);
      terms[i] = b.sym;
    }
  }
}

} // namespace fathom::explore
