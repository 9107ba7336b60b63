// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The intrinsics of fathom/abi.h: what the C side of the environment asks of the engine.
#include "explore/builtin/RuntimeBuiltins.h"

#include "evidence/BugKind.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/Addresses.h"
#include "explore/decide/BugReports.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/LeakCheck.h"
#include "explore/decide/PathEnds.h"
#include "explore/decide/Places.h"
#include "explore/decide/SeedPaths.h"
#include "explore/decide/Sizes.h"
#include "explore/decide/SpeculativeBranches.h"
#include "explore/decide/StepContext.h"
#include "explore/decide/Symbols.h"
#include "explore/decide/UninitUses.h"
#include "explore/decide/Witnesses.h"

#include "fathom/abi.h"
#include "fmt/format.h"

#include <algorithm>

#include <csignal>

namespace fathom::explore {

using evidence::BugKind;
using evidence::LedgerCategory;

BuiltinOutcome RuntimeBuiltins::makeSymbolic(State &s, const Call &c) {
  const uint64_t address = concreteArgument(s, c, 0, "address");
  ExprPtr length = nullptr; // where it is a term
  uint64_t size = 0;
  if (!isConcrete(s, c, 1))
    if (const ObjectState *o = s.memory.resolve(address, 0, Memory::Extent::Capacity);
        o && o->length) {
      const uint64_t most = o->base() + o->size() - address;
      const Sizes::Fit fit = sizes_.fit(s, term(s, c, 1), most);
      if (fit == Sizes::Fit::Again) return Outcome::Again;
      if (fit == Sizes::Fit::Yes) {
        length = term(s, c, 1);
        size = sizes_.largest(s, length, most);
        if (!addresses_.staysInside(s, *o, address - o->base(), length, /*write=*/true))
          return Outcome::Ended;
      }
    }
  if (!length) {
    size = concreteArgument(s, c, 1, "size");
    if (!bounds(s, address, size, /*write=*/true)) return Outcome::Ended;
  }
  // The program's own words, whatever they are: a test gives the object back by them.
  constexpr uint64_t kMaxNameBytes = 4096;
  std::string base = "unnamed"; // as intrinsics.c has it
  if (uint64_t name = concreteArgument(s, c, 2, "name")) {
    base = text(s, name, kMaxNameBytes);
    if (base.size() < kMaxNameBytes && !bounds(s, name + base.size(), 1, /*write=*/false))
      return Outcome::Ended;
  }
  ExprPtr symbol = symbols_.symbolFor(s, base, size);
  for (uint64_t i = 0; i < size; i++) s.memory.writeSym(address + i, ctx_.read(symbol, i));
  symbols_.addSymbol(s, symbol, base);
  if (length) s.lengths.push({.symbol = symbol, .length = length});
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::assumeCall(State &s, const Call &c) {
  ExprPtr e = term(s, c, 0, 32);
  if (e->has(expr::kHasUninit)) e = uninitUses_.settleUninit(s, e, "an assumption");
  ExprPtr holds = ctx_.ne(e, ctx_.constant(0, 32));
  if (holds->isTrue()) return Outcome::Next;
  std::shared_ptr<const expr::Model> model;
  if (feasibility_.feasible(s, holds, model) != Feasible::Yes) return Outcome::Ended;
  feasibility_.assume(s, holds, model);
  return Outcome::Next;
}

static_assert(static_cast<int>(evidence::InputKind::Argument) == FATHOM_INPUT_ARG);
static_assert(static_cast<int>(evidence::InputKind::StandardInput) == FATHOM_INPUT_STDIN);
static_assert(static_cast<int>(evidence::InputKind::File) == FATHOM_INPUT_FILE);
static_assert(static_cast<int>(evidence::InputKind::Environment) == FATHOM_INPUT_ENV);

BuiltinOutcome RuntimeBuiltins::input(State &s, const Call &c) {
  RecordedInput in;
  in.id.kind = static_cast<evidence::InputKind>(std::min<uint64_t>(
      concreteArgument(s, c, 0, "kind", 32), 0xff)); // one that there is not means nothing
  in.id.name = text(s, concreteArgument(s, c, 1, "name"));
  const uint64_t data = concreteArgument(s, c, 2, "address");
  uint64_t size = 0;
  if (const ObjectState *o = s.memory.resolve(data, 0); o && !isConcrete(s, c, 3)) {
    in.length = term(s, c, 3);
    size = o->base() + o->size() - data;
  } else {
    size = concreteArgument(s, c, 3, "size");
  }
  if (!bounds(s, data, size, /*write=*/false)) return Outcome::Ended;
  snapshot(s, data, size, in.bytes, in.terms);
  s.inputs.push(std::move(in));
  return Outcome::Next;
}

/// Of the environment model, for an object that has room for it.
BuiltinOutcome RuntimeBuiltins::sizedInput(State &s, const Call &c) {
  const uint64_t address = concreteArgument(s, c, 0, "address"),
                 most = concreteArgument(s, c, 1, "size");
  const std::string name = text(s, concreteArgument(s, c, 2, "name"));
  const bool isText = concreteArgument(s, c, 3, "kind", 32) != 0;
  const uint64_t room = most + isText;
  if (!bounds(s, address, room, /*write=*/true)) return Outcome::Ended;
  SizedInput in{.bytes = symbols_.symbolFor(s, name, room),
                .length = symbols_.symbolFor(s, name + "-length", most < 256 ? 1 : 4),
                .most = most,
                .isText = isText};
  for (uint64_t i = 0; i < room; i++) s.memory.writeSym(address + i, ctx_.read(in.bytes, i));
  interpreter_.memory.flushTlb();
  symbols_.addSized(s, in, name);
  ExprPtr length = nullptr;
  for (uint64_t i = 0; i < in.length->array().sizeBytes; i++) {
    ExprPtr byte = ctx_.read(in.length, i);
    length = length ? ctx_.concat(byte, length) : byte;
  }
  length = ctx_.zext(length, 64);
  auto holds = [&](ExprPtr e) {
    if (!e->isTrue()) feasibility_.assume(s, e, s.witness); // it does so far
  };
  holds(ctx_.ule(length, ctx_.constant(most, 64)));
  if (isText) holds(ctx_.eq(ctx_.read(in.bytes, length), ctx_.constant(0, 8)));
  if (!sizes_.capacity()) // sizes are numbers
    length = ctx_.constant(feasibility_.concretize(s, length, "length of an input"), 64);
  ExprPtr told = isText ? ctx_.add(length, ctx_.constant(1, 64)) : length; // with its NUL
  s.lengths.push({.symbol = in.bytes, .length = told, .array = in.length});
  returnsTerm(s, c, length);
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::setSize(State &s, const Call &c) {
  const uint64_t address = concreteArgument(s, c, 0, "address");
  s.memory.setLength(address, term(s, c, 1), /*known=*/0);
  interpreter_.memory.flushTlb();
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::output(State &s, const Call &c) {
  OutputChunk out;
  out.fd = static_cast<int>(concreteArgument(s, c, 0, "file descriptor", 32));
  const uint64_t data = concreteArgument(s, c, 1, "address");
  uint64_t size = 0;
  if (const ObjectState *o = s.memory.resolve(data, 0, Memory::Extent::Capacity);
      o && !isConcrete(s, c, 2)) {
    ExprPtr wanted = term(s, c, 2);
    const uint64_t most = std::min(sizes_.capacity(), o->base() + o->size() - data);
    const Sizes::Fit fit = sizes_.fit(s, wanted, most);
    if (fit == Sizes::Fit::Again) return Outcome::Again;
    if (fit == Sizes::Fit::Yes) {
      out.length = wanted;
      size = sizes_.largest(s, wanted, most);
      if (!addresses_.staysInside(s, *o, data - o->base(), wanted, /*write=*/false))
        return Outcome::Ended;
    }
  }
  if (!out.length) {
    size = concreteArgument(s, c, 2, "size");
    if (!bounds(s, data, size, /*write=*/false)) return Outcome::Ended;
  }
  if (!size) return Outcome::Next;
  std::vector<uint8_t> bytes;
  snapshot(s, data, size, bytes, out.terms);
  out.bytes.assign(bytes.begin(), bytes.end());
  if (options_.echoOutput && !s.discarded) {
    std::string shown = out.bytes;
    for (size_t i = 0; i < out.terms.size(); i++)
      if (out.terms[i]) shown[i] = static_cast<char>(witnesses_.witnessValue(s, out.terms[i]));
    if (out.length) shown.resize(witnesses_.witnessValue(s, out.length));
    sink_.onEcho(out.fd, shown);
  }
  s.output.push(std::move(out));
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::exitCall(State &s, const Call &c) {
  ExprPtr status = term(s, c, 0, 32);
  if (ends_.endUnasked(s) || !guesses_.settle(s)) return Outcome::Ended;
  if (status->has(expr::kHasUninit)) status = uninitUses_.whereNoneMatters(s, status);
  leaks_.checkLeaks(s);
  if (!stepContext_.sinkFailed) ends_.endPath(s, EndKind::Exit, 0, "path completed", status);
  return Outcome::Ended;
}

BuiltinOutcome RuntimeBuiltins::killed(State &s, const Call &c) {
  int signal = static_cast<int>(concreteArgument(s, c, 0, "signal", 32));
  if (signal == SIGABRT)
    bugs_.report(s, BugKind::Abort, "the program aborted", s.witness);
  else
    ends_.endPath(s, EndKind::Signal, signal, fmt::format("ended by signal {}", signal));
  return Outcome::Ended;
}

/// The bug was reported, and the program is ended by the signal, or would fail again.
BuiltinOutcome RuntimeBuiltins::faultEnds(State &, const Call &) { return Outcome::Ended; }

BuiltinOutcome RuntimeBuiltins::assertFail(State &s, const Call &c) {
  std::string expression = text(s, concreteArgument(s, c, 0, "expression"));
  bugs_.report(s, BugKind::Assertion, fmt::format("assertion failed: {}", expression), s.witness);
  return Outcome::Ended;
}

BuiltinOutcome RuntimeBuiltins::reportBug(State &s, const Call &c) {
  std::string kindName = text(s, concreteArgument(s, c, 0, "kind")),
              message = text(s, concreteArgument(s, c, 1, "message"));
  BugKind kind;
  if (!bugKindFromName(kindName, kind)) {
    message = kindName + ": " + message;
    kind = BugKind::Abort;
  }
  bugs_.report(s, kind, message, s.witness);
  return Outcome::Ended;
}

BuiltinOutcome RuntimeBuiltins::ledger(State &s, const Call &c) {
  const std::string category = text(s, concreteArgument(s, c, 0, "category"));
  std::string message = text(s, concreteArgument(s, c, 1, "message"));
  const auto known = evidence::ledgerCategoryFromName(category);
  if (!known) message = category + ": " + message;
  ledger_.add(known.value_or(LedgerCategory::Environment), places_.where(s), std::move(message));
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::unsupported(State &s, const Call &c) {
  std::string message = text(s, concreteArgument(s, c, 0, "message"));
  ledger_.add(LedgerCategory::Environment, places_.where(s), message);
  ends_.endPath(s, EndKind::Partial, 0, "partial: " + message);
  return Outcome::Ended;
}

BuiltinOutcome RuntimeBuiltins::isSymbolic(State &s, const Call &c) {
  returns(s, c, !term(s, c, 0)->isConst());
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::isZero(State &s, const Call &c) {
  ExprPtr e = term(s, c, 0);
  ExprPtr isOther = ctx_.ne(e, ctx_.constant(0, e->width()));
  bool always = isOther->isFalse();
  if (!isOther->isConst() && !e->has(expr::kHasUninit) &&
      !witnesses_.holdsUnderWitness(s, isOther)) {
    std::shared_ptr<const expr::Model> model;
    always = feasibility_.probe(s, isOther, model, LossIfUnknown::Nothing) == Feasible::No;
  }
  returns(s, c, always);
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::concretizeCall(State &s, const Call &c) {
  std::string why = isConcrete(s, c, 0) ? "" : text(s, concreteArgument(s, c, 1, "reason"));
  ExprPtr e = term(s, c, 0);
  returns(s, c, e->isConst() ? e->value() : feasibility_.concretize(s, e, why));
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::forkValues(State &s, const Call &c) {
  uint64_t from = concreteArgument(s, c, 1, "bound"), to = concreteArgument(s, c, 2, "bound");
  if (!isConcrete(s, c, 0)) {
    ExprPtr e = term(s, c, 0);
    ExprPtr in =
        ctx_.bvAnd(ctx_.ule(ctx_.constant(from, 64), e), ctx_.ule(e, ctx_.constant(to, 64)));
    std::shared_ptr<const expr::Model> model;
    if (feasibility_.feasible(s, in, model) != Feasible::Yes) return Outcome::Ended;
    if (!in->isTrue()) feasibility_.assume(s, in, model);
    if (!forked(s, c, 0)) return Outcome::Again;
  }
  returns(s, c, number(s, c, 0));
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::allocCall(State &s, const Call &c) {
  uint64_t size = concreteArgument(s, c, 0, "size"), label = concreteArgument(s, c, 1, "name");
  const ObjectState *o =
      s.memory.allocate(size, ObjectKind::Map, /*zeroed=*/true, site(s, c), text(s, label, 80));
  returns(s, c, o ? o->base() : 0);
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::objectSize(State &s, const Call &c) {
  if (!isConcrete(s, c, 0) && sizes_.capacity()) {
    const Resolved at = addresses_.resolve(s, term(s, c, 0), 0, /*write=*/false);
    if (at.again) return decisions_.again(s), Outcome::Again;
    if (!at.object) return Outcome::Ended;
    ExprPtr size = at.object->length ? at.object->length : ctx_.constant(at.object->size(), 64);
    returnsTerm(s, c, ctx_.sub(size, at.offset));
    return Outcome::Next;
  }
  uint64_t address = concreteArgument(s, c, 0, "address");
  const ObjectState *o = s.memory.resolve(address, 0, Memory::Extent::Capacity);
  if (o && o->length)
    returnsTerm(s, c, ctx_.sub(o->length, ctx_.constant(address - o->base(), 64)));
  else
    returns(s, c, o ? o->base() + o->size() - address : 0);
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::prefer(State &s, const Call &c) {
  if (isConcrete(s, c, 0)) return Outcome::Next;
  ExprPtr condition = ctx_.ne(term(s, c, 0), ctx_.constant(0, term(s, c, 0)->width()));
  if (!condition->isConst()) s.preferred.push(condition);
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::print(State &s, const Call &c) {
  std::string label = text(s, concreteArgument(s, c, 0, "label"));
  sink_.onEcho(2, fmt::format("{}: {}\n", label, expr::toString(term(s, c, 1))));
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::say(State &s, const Call &c) {
  sink_.onEcho(2, text(s, concreteArgument(s, c, 0, "message")) + "\n");
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::getTp(State &s, const Call &c) {
  returns(s, c, s.threadPointer);
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::setTp(State &s, const Call &c) {
  s.threadPointer = concreteArgument(s, c, 0, "pointer");
  returns(s, c, 0);
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::map(State &s, const Call &c) {
  uint64_t size = concreteArgument(s, c, 0, "size");
  const ObjectState *o = size > options_.maxHeapBytes
                             ? nullptr
                             : s.memory.allocate(size, ObjectKind::Map, /*zeroed=*/true, site(s, c),
                                                 "mmap", kPageSize, FATHOM_LANE_MAP);
  returns(s, c, o ? o->base() : 0);
  return Outcome::Next;
}

BuiltinOutcome RuntimeBuiltins::unmap(State &s, const Call &c) {
  uint64_t address = concreteArgument(s, c, 0, "address");
  const ObjectState *o = s.memory.find(address);
  if (o && !o->freed && o->base() == address && o->info->kind == ObjectKind::Map)
    s.memory.free(address, site(s, c));
  returns(s, c, 0); // unmapping a part keeps the object: a later access is not noticed
  return Outcome::Next;
}

void RuntimeBuiltins::add(BuiltinNames &to) {
  to["__fathom_make_symbolic"] = bind(this, &RuntimeBuiltins::makeSymbolic);
  to["__fathom_assume"] = bind(this, &RuntimeBuiltins::assumeCall);
  to["__fathom_input"] = bind(this, &RuntimeBuiltins::input);
  to["__fathom_sized_input"] = bind(this, &RuntimeBuiltins::sizedInput);
  to["__fathom_set_size"] = bind(this, &RuntimeBuiltins::setSize);
  to["__fathom_output"] = bind(this, &RuntimeBuiltins::output);
  to[kExit] = bind(this, &RuntimeBuiltins::exitCall);
  to["__fathom_killed"] = bind(this, &RuntimeBuiltins::killed);
  to["__fathom_fault_ends"] = bind(this, &RuntimeBuiltins::faultEnds);
  to["__fathom_assert_fail"] = bind(this, &RuntimeBuiltins::assertFail);
  to["__fathom_report_bug"] = bind(this, &RuntimeBuiltins::reportBug);
  to["__fathom_ledger"] = bind(this, &RuntimeBuiltins::ledger);
  to["__fathom_unsupported"] = bind(this, &RuntimeBuiltins::unsupported);
  to["__fathom_is_symbolic"] = bind(this, &RuntimeBuiltins::isSymbolic);
  to["__fathom_is_zero"] = bind(this, &RuntimeBuiltins::isZero);
  to["__fathom_concretize"] = bind(this, &RuntimeBuiltins::concretizeCall);
  to["__fathom_fork_values"] = bind(this, &RuntimeBuiltins::forkValues);
  to["__fathom_alloc"] = bind(this, &RuntimeBuiltins::allocCall);
  to["__fathom_object_size"] = bind(this, &RuntimeBuiltins::objectSize);
  to["__fathom_prefer"] = bind(this, &RuntimeBuiltins::prefer);
  to["__fathom_print"] = bind(this, &RuntimeBuiltins::print);
  to["__fathom_say"] = bind(this, &RuntimeBuiltins::say);
  to["__fathom_get_tp"] = bind(this, &RuntimeBuiltins::getTp);
  to["__fathom_set_tp"] = bind(this, &RuntimeBuiltins::setTp);
  to["__fathom_map"] = bind(this, &RuntimeBuiltins::map);
  to["__fathom_unmap"] = bind(this, &RuntimeBuiltins::unmap);
}

} // namespace fathom::explore
