// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Builtins.h"

#include "explore/TermBounds.h"

#include "fmt/format.h"

namespace fathom::explore {

using namespace program;

Builtins::Builtins(Executor &executor) : x_(executor) {
  std::map<std::string, Function> byName;
  addAllocator(byName);
  addIntrinsics(byName);
  addHost(byName);
  addJumps(byName);
  addThreads(byName);
  for (const External &e : x_.program_.externals) {
    auto it = byName.find(e.name);
    table_.push_back(it == byName.end() ? nullptr : it->second);
  }
}

ExprPtr Builtins::term(State &s, const Call &c, unsigned i, unsigned width) {
  ExprPtr e = x_.machine.registerTerm(*s.top, c.args[i], width);
  return e->width() == width  ? e
         : e->width() > width ? x_.ctx_.trunc(e, width)
                              : x_.ctx_.zext(e, width);
}

bool Builtins::isConcrete(State &s, const Call &c, unsigned i) {
  return !s.top->syms || !s.top->syms[c.args[i]];
}

uint64_t Builtins::pinned(State &s, const Call &c, unsigned i, const char *what, unsigned width) {
  if (isConcrete(s, c, i)) return s.top->bits()[c.args[i]];
  uint64_t v =
      x_.concretize(s, term(s, c, i, width), fmt::format("{} of {}", what, c.callee->name));
  x_.machine.setRegister(
      *s.top, c.args[i],
      x_.ctx_.constant(v, x_.machine.registerTerm(*s.top, c.args[i], width)->width()));
  x_.keepDecided(s);
  return v;
}

bool Builtins::forked(State &s, const Call &c, unsigned i, unsigned width) {
  if (isConcrete(s, c, i)) return true;
  ExprPtr e = term(s, c, i, width);
  if (e->has(expr::kHasUninit)) e = x_.settleUninit(s, e, "an argument");
  // What was never written and is anything is not gone through value by value.
  const uint64_t v =
      e->has(expr::kHasUninit)
          ? x_.concretize(s, e, fmt::format("argument {} of {}", i + 1, c.callee->name))
          : x_.splitOnValue(s, e);
  x_.machine.setRegister(*s.top, c.args[i], x_.ctx_.constant(v, width));
  x_.keepDecided(s);
  return !x_.step_->ready;
}

bool Builtins::sized(State &s, const Call &c, unsigned i) {
  constexpr uint64_t kMost = 64;
  if (isConcrete(s, c, i)) return true;
  ExprPtr e = term(s, c, i);
  const bool ofResult = e->has(expr::kHasApply) || x_.mentionsResult(s, e);
  return !ofResult || unsignedMax(e) > kMost || forked(s, c, i);
}

std::string Builtins::text(State &s, uint64_t address, uint64_t limit) {
  std::string out;
  for (; out.size() < limit; address++) {
    const ObjectState *o = s.memory.resolve(address, 1);
    if (!o) break;
    ByteValue b = s.memory.read(*o, address - o->base());
    uint64_t v = b.sym ? x_.witnessValue(s, b.sym) : b.value;
    if (!v) break;
    out += static_cast<char>(v);
  }
  return out;
}

void Builtins::returns(State &s, const Call &c, uint64_t value) {
  returnsTerm(s, c, x_.ctx_.constant(value, 64));
}

void Builtins::returnsTerm(State &s, const Call &c, ExprPtr value) {
  x_.machine.setResult(*s.top, c.ip, *c.callee, value);
}

/// The program's own call that led here: two strings that different functions lose are not one leak
/// in strdup. Without one (start-up code), the call itself.
Memory::AllocSite Builtins::site(const State &s, const Call &c) const {
  const uint32_t stack = x_.stacks_.intern(s.top, c.ip);
  const program::Inst *at = c.ip;
  for (const Frame *f = s.top; f; f = f->parent) {
    if (x_.program_.functions[f->function].own)
      return {f->function, static_cast<uint32_t>(at - x_.machine.codeOf(f->function)), stack};
    if (f->parent) at = f->parent->resume - 1;
  }
  return {s.top->function, static_cast<uint32_t>(c.ip - x_.machine.codeOf(s.top->function)), stack};
}

bool Builtins::bounds(State &s, uint64_t address, uint64_t size, bool write) {
  if (!size) return true;
  const ObjectState *o = s.memory.resolve(address, size);
  if (o && !(write && o->info->kind == ObjectKind::Constant)) return true;
  x_.reportFault(s, address, size, write, s.witness);
  return false;
}

void Builtins::snapshot(State &s, uint64_t address, uint64_t size, std::vector<uint8_t> &bytes,
                        std::vector<ExprPtr> &terms) {
  bytes.resize(size);
  if (!size) return;
  const ObjectState *o = s.memory.resolve(address, size);
  for (uint64_t i = 0; i < size; i++) {
    ByteValue b = s.memory.read(*o, address - o->base() + i);
    bytes[i] = b.value;
    if (b.sym) {
      if (terms.empty()) terms.resize(size);
      terms[i] = b.sym;
    }
  }
}

bool Executor::onExternal(State &s) {
  const Inst *ip = s.ip;
  if (machine.external == Machine::kEntryCall) return entryCall(s);
  const FunctionCode &f = program_.functions[s.top->function];
  Builtins::Call call{ip, f.pool.data() + ip->imm, ip->b, &program_.externals[machine.external]};
  s.instructions += ip->w;
  machine.instructions += ip->w;
  if (Builtins::Function function = builtins_->find(machine.external)) {
    switch (builtins_->run(function, s, call)) {
    case Builtins::Outcome::Next:
      s.ip = ip + 1;
      machine.state = &s;
      machine.coverAfterCall(s.ip);
      return true;
    case Builtins::Outcome::Jumped:
    case Builtins::Outcome::Again: return true;
    case Builtins::Outcome::Ended: return false;
    }
  }
  if (call.callee->name == "main" && !options_.entry.empty())
    return entryCall(s); // a library: start-up code calls what is not there
  return externalCall(s, *call.callee, call.args, call.numArgs);
}

} // namespace fathom::explore
