// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The intrinsics of fathom/abi.h: what the C side of the environment asks of the engine.
#include "explore/Builtins.h"

#include "fathom/abi.h"
#include "fmt/format.h"

#include <csignal>

namespace fathom::explore {

/// Letters, digits and `_ . -`. Two names never become one: all workers must come to the same.
static std::string solverName(const std::string &name) {
  std::string out = name;
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (char &c : out) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool isFine =
        isLetter || (&c != out.data() && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
    if (!isFine) c = '_';
  }
  return out == name && !out.empty() ? out : fmt::format("in_{}_{:016x}", out.substr(0, 64), hash);
}

Builtins::Outcome Builtins::makeSymbolic(State &s, const Call &c) {
  uint64_t address = pinned(s, c, 0, "address"), size = pinned(s, c, 1, "size");
  if (!bounds(s, address, size, /*write=*/true)) return Outcome::Ended;
  // The program's own words, whatever they are: a test gives the object back by them.
  constexpr uint64_t kMostName = 4096;
  std::string base = "unnamed"; // as intrinsics.c has it
  if (uint64_t name = pinned(s, c, 2, "name")) {
    base = text(s, name, kMostName);
    if (base.size() < kMostName && !bounds(s, name + base.size(), 1, /*write=*/false))
      return Outcome::Ended;
  }
  ExprPtr symbol = symbolFor(s, base, size);
  for (uint64_t i = 0; i < size; i++) s.memory.writeSym(address + i, x_.ctx_.read(symbol, i));
  x_.addSymbol(s, symbol, base);
  return Outcome::Next;
}

ExprPtr Builtins::symbolFor(const State &s, const std::string &base, uint64_t size) {
  auto [it, isNew] = bases_.try_emplace(base, static_cast<uint32_t>(bases_.size()));
  const uint32_t number = it->second;
  // How many of this name the path has: its latest one knows. The name itself cannot tell, because
  // the context changes one that is in use. (A name that no path has had needs no search.)
  uint32_t ordinal = 0;
  if (!isNew)
    for (auto *n = s.symbols.last.get(); n; n = n->previous.get())
      if (auto made = origins_.find(n->value);
          made != origins_.end() && made->second.base == number) {
        ordinal = made->second.ordinal + 1;
        break;
      }
  ExprPtr &symbol = symbols_[{number, ordinal, size}];
  if (!symbol) {
    const std::string name = ordinal ? fmt::format("{}_{}", base, ordinal) : base;
    symbol = x_.ctx_.symbol(solverName(name), size);
    x_.inputNames_[symbol] = name;
    origins_[symbol] = {number, ordinal};
  }
  return symbol;
}

Builtins::Outcome Builtins::assumeCall(State &s, const Call &c) {
  ExprPtr e = term(s, c, 0, 32);
  if (e->has(expr::kHasUninit)) e = x_.settleUninit(s, e, "an assumption");
  ExprPtr holds = x_.ctx_.ne(e, x_.ctx_.constant(0, 32));
  if (holds->isTrue()) return Outcome::Next;
  std::shared_ptr<const expr::Model> model;
  if (x_.feasible(s, holds, model) != Executor::Feasible::Yes) return Outcome::Ended;
  x_.assume(s, holds, model);
  return Outcome::Next;
}

Builtins::Outcome Builtins::input(State &s, const Call &c) {
  RecordedInput in;
  in.kind = static_cast<int>(pinned(s, c, 0, "kind", 32));
  in.name = text(s, pinned(s, c, 1, "name"));
  uint64_t data = pinned(s, c, 2, "address"), size = pinned(s, c, 3, "size");
  if (!bounds(s, data, size, /*write=*/false)) return Outcome::Ended;
  snapshot(s, data, size, in.bytes, in.terms);
  s.inputs.push(std::move(in));
  return Outcome::Next;
}

Builtins::Outcome Builtins::output(State &s, const Call &c) {
  OutputChunk out;
  out.fd = static_cast<int>(pinned(s, c, 0, "file descriptor", 32));
  uint64_t data = pinned(s, c, 1, "address"), size = pinned(s, c, 2, "size");
  if (!bounds(s, data, size, /*write=*/false)) return Outcome::Ended;
  std::vector<uint8_t> bytes;
  snapshot(s, data, size, bytes, out.terms);
  out.bytes.assign(bytes.begin(), bytes.end());
  if (x_.options_.echoOutput && !s.discarded) {
    std::string shown = out.bytes;
    for (size_t i = 0; i < out.terms.size(); i++)
      if (out.terms[i]) shown[i] = static_cast<char>(x_.witnessValue(s, out.terms[i]));
    x_.sink_.onEcho(out.fd, shown);
  }
  s.output.push(std::move(out));
  return Outcome::Next;
}

Builtins::Outcome Builtins::exitCall(State &s, const Call &c) {
  ExprPtr status = term(s, c, 0, 32);
  x_.checkLeaks(s);
  if (!x_.sinkFailed) x_.endPath(s, EndKind::Exit, 0, "path completed", status);
  return Outcome::Ended;
}

Builtins::Outcome Builtins::killed(State &s, const Call &c) {
  int signal = static_cast<int>(pinned(s, c, 0, "signal", 32));
  if (signal == SIGABRT)
    x_.report(s, BugKind::Abort, "the program aborted", s.witness);
  else
    x_.endPath(s, EndKind::Signal, signal, fmt::format("ended by signal {}", signal));
  return Outcome::Ended;
}

/// The bug was reported, and the program is ended by the signal, or would fail again.
Builtins::Outcome Builtins::faultEnds(State &, const Call &) { return Outcome::Ended; }

Builtins::Outcome Builtins::assertFail(State &s, const Call &c) {
  std::string expression = text(s, pinned(s, c, 0, "expression"));
  x_.report(s, BugKind::Assertion, fmt::format("assertion failed: {}", expression), s.witness);
  return Outcome::Ended;
}

Builtins::Outcome Builtins::reportBug(State &s, const Call &c) {
  std::string kindName = text(s, pinned(s, c, 0, "kind")),
              message = text(s, pinned(s, c, 1, "message"));
  BugKind kind;
  if (!bugKindFromName(kindName, kind)) {
    message = kindName + ": " + message;
    kind = BugKind::Abort;
  }
  x_.report(s, kind, message, s.witness);
  return Outcome::Ended;
}

Builtins::Outcome Builtins::ledger(State &s, const Call &c) {
  x_.ledger_.add(text(s, pinned(s, c, 0, "category")), x_.where(s),
                 text(s, pinned(s, c, 1, "message")));
  return Outcome::Next;
}

Builtins::Outcome Builtins::unsupported(State &s, const Call &c) {
  std::string message = text(s, pinned(s, c, 0, "message"));
  x_.ledger_.add("environment", x_.where(s), message);
  x_.endPath(s, EndKind::Partial, 0, "partial: " + message);
  return Outcome::Ended;
}

Builtins::Outcome Builtins::isSymbolic(State &s, const Call &c) {
  returns(s, c, !term(s, c, 0)->isConst());
  return Outcome::Next;
}

Builtins::Outcome Builtins::concretizeCall(State &s, const Call &c) {
  std::string why = isConcrete(s, c, 0) ? "" : text(s, pinned(s, c, 1, "reason"));
  ExprPtr e = term(s, c, 0);
  returns(s, c, e->isConst() ? e->value() : x_.concretize(s, e, why));
  return Outcome::Next;
}

Builtins::Outcome Builtins::forkValues(State &s, const Call &c) {
  uint64_t from = pinned(s, c, 1, "bound"), to = pinned(s, c, 2, "bound");
  if (!isConcrete(s, c, 0)) {
    ExprPtr e = term(s, c, 0);
    ExprPtr in = x_.ctx_.bvAnd(x_.ctx_.ule(x_.ctx_.constant(from, 64), e),
                               x_.ctx_.ule(e, x_.ctx_.constant(to, 64)));
    std::shared_ptr<const expr::Model> model;
    if (x_.feasible(s, in, model) != Executor::Feasible::Yes) return Outcome::Ended;
    if (!in->isTrue()) x_.assume(s, in, model);
    if (!forked(s, c, 0)) return Outcome::Again;
  }
  returns(s, c, s.top->bits()[c.args[0]]);
  return Outcome::Next;
}

Builtins::Outcome Builtins::allocCall(State &s, const Call &c) {
  uint64_t size = pinned(s, c, 0, "size"), label = pinned(s, c, 1, "name");
  const ObjectState *o =
      s.memory.allocate(size, ObjectKind::Map, /*zeroed=*/true, site(s, c), text(s, label, 80));
  returns(s, c, o ? o->base() : 0);
  return Outcome::Next;
}

Builtins::Outcome Builtins::objectSize(State &s, const Call &c) {
  uint64_t address = pinned(s, c, 0, "address");
  const ObjectState *o = s.memory.resolve(address, 0);
  returns(s, c, o ? o->base() + o->size() - address : 0);
  return Outcome::Next;
}

Builtins::Outcome Builtins::prefer(State &s, const Call &c) {
  if (isConcrete(s, c, 0)) return Outcome::Next;
  ExprPtr condition = x_.ctx_.ne(term(s, c, 0), x_.ctx_.constant(0, term(s, c, 0)->width()));
  if (!condition->isConst()) s.preferred.push(condition);
  return Outcome::Next;
}

Builtins::Outcome Builtins::print(State &s, const Call &c) {
  std::string label = text(s, pinned(s, c, 0, "label"));
  x_.sink_.onEcho(2, fmt::format("{}: {}\n", label, expr::toString(term(s, c, 1))));
  return Outcome::Next;
}

Builtins::Outcome Builtins::say(State &s, const Call &c) {
  x_.sink_.onEcho(2, text(s, pinned(s, c, 0, "message")) + "\n");
  return Outcome::Next;
}

Builtins::Outcome Builtins::getTp(State &s, const Call &c) {
  returns(s, c, s.threadPointer);
  return Outcome::Next;
}

Builtins::Outcome Builtins::setTp(State &s, const Call &c) {
  s.threadPointer = pinned(s, c, 0, "pointer");
  returns(s, c, 0);
  return Outcome::Next;
}

Builtins::Outcome Builtins::map(State &s, const Call &c) {
  uint64_t size = pinned(s, c, 0, "size");
  const ObjectState *o = size > x_.options_.maxHeapBytes
                             ? nullptr
                             : s.memory.allocate(size, ObjectKind::Map, /*zeroed=*/true, site(s, c),
                                                 "mmap", kPageSize, FATHOM_LANE_MAP);
  returns(s, c, o ? o->base() : 0);
  return Outcome::Next;
}

Builtins::Outcome Builtins::unmap(State &s, const Call &c) {
  uint64_t address = pinned(s, c, 0, "address");
  const ObjectState *o = s.memory.find(address);
  if (o && !o->freed && o->base() == address && o->info->kind == ObjectKind::Map)
    s.memory.free(address, site(s, c));
  returns(s, c, 0); // unmapping a part keeps the object: a later access is not noticed
  return Outcome::Next;
}

void Builtins::addIntrinsics(std::map<std::string, Function> &to) {
  to["__fathom_make_symbolic"] = &Builtins::makeSymbolic;
  to["__fathom_assume"] = &Builtins::assumeCall;
  to["__fathom_input"] = &Builtins::input;
  to["__fathom_output"] = &Builtins::output;
  to["__fathom_exit"] = &Builtins::exitCall;
  to["__fathom_killed"] = &Builtins::killed;
  to["__fathom_fault_ends"] = &Builtins::faultEnds;
  to["__fathom_assert_fail"] = &Builtins::assertFail;
  to["__fathom_report_bug"] = &Builtins::reportBug;
  to["__fathom_ledger"] = &Builtins::ledger;
  to["__fathom_unsupported"] = &Builtins::unsupported;
  to["__fathom_is_symbolic"] = &Builtins::isSymbolic;
  to["__fathom_concretize"] = &Builtins::concretizeCall;
  to["__fathom_fork_values"] = &Builtins::forkValues;
  to["__fathom_alloc"] = &Builtins::allocCall;
  to["__fathom_object_size"] = &Builtins::objectSize;
  to["__fathom_prefer"] = &Builtins::prefer;
  to["__fathom_print"] = &Builtins::print;
  to["__fathom_say"] = &Builtins::say;
  to["__fathom_get_tp"] = &Builtins::getTp;
  to["__fathom_set_tp"] = &Builtins::setTp;
  to["__fathom_map"] = &Builtins::map;
  to["__fathom_unmap"] = &Builtins::unmap;
}

} // namespace fathom::explore
