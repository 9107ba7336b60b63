// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: of library functions by their descriptions, of the program's own by their effects.
#include "statics/heap/FunctionRun.h"

#include <algorithm>

namespace fathom::statics::heap {

void FunctionRun::call(HeapState state, StatementId id, std::vector<HeapState> &after) {
  const CallSite &site = facts_.calls[facts_.statements[id].extra];
  const std::vector<FunctionId> &callees = view_.pts.callees(facts_.statements[id].extra);
  // Through a pointer that may be to several functions, each is called on a way of its own.
  const bool isOne = site.callee != kNone || site.summary || callees.size() <= 1;
  if (isOne) {
    if (!checkOperands(state, id)) return;
    const Summary *summary = view_.summaryOf(site);
    const LibraryCall *known = summary ? nullptr : view_.libraryCallOf(site);
    const BufferCall *buffer = nullptr;
    if (!view_.callsOwn(facts_.statements[id].extra))
      buffer = findBufferCall(summary ? summary->name : view_.calleeName(site));
    if (summary || known || buffer)
      return libraryCall(std::move(state), id, {summary, known, buffer}, after);
  }
  constexpr size_t kMaxCallees = 3;
  bool isKnown = !callees.empty() && callees.size() <= kMaxCallees;
  for (const FunctionId callee : callees)
    isKnown &= facts_.functions[callee].summary || isFollowed(callee);
  if (!isKnown) {
    out_->skipped.insert(out_->skipped.end(), callees.begin(), callees.end());
    return unknownCall(std::move(state), id, view_.callsOwn(facts_.statements[id].extra), after);
  }
  for (const FunctionId callee : callees) {
    HeapState before = state;
    if (const Summary *summary = facts_.functions[callee].summary) {
      summarised(std::move(before), id, *summary, after);
      continue;
    }
    forgetVariadic(before, id, callee);
    apply(before, id, callee, *effectsOf_(callee), after);
  }
}

/// Are its effects known, and is there a way through it?
bool FunctionRun::isFollowed(FunctionId callee) const {
  const FunctionEffects *effects = view_.isOwn(callee) ? effectsOf_(callee) : nullptr;
  if (!effects || !effects->isKnown) return false;
  return !effects->isCut ||
         std::ranges::any_of(effects->effects, [](const Effect &e) { return !e.issue; });
}

void FunctionRun::libraryCall(HeapState state, StatementId id, const Library &library,
                              std::vector<HeapState> &after) {
  const BufferEffect effect =
      library.buffer ? useBuffers(state, id, *library.buffer) : BufferEffect{};
  const size_t first = after.size();
  if (library.summary)
    summarised(std::move(state), id, *library.summary, after);
  else if (library.known)
    knownLibrary(std::move(state), id, *library.known, after);
  else
    unknownCall(std::move(state), id, /*isOwn=*/false, after);
  const size_t last = after.size();
  for (size_t i = first; library.buffer && i < last; i++) {
    if (library.buffer->isReturnedOrNull) returnOrFail(after, i, id);
    applyBuffers(after[i], id, *library.buffer, effect);
  }
}

/// Of a call that returns its first argument, or null: the latter is a way of its own.
void FunctionRun::returnOrFail(std::vector<HeapState> &after, size_t i, StatementId id) {
  const Statement &s = facts_.statements[id];
  if (s.result == kNone || s.numOperands == 0) return;
  Terms &terms = out_->terms;
  HeapState failed = after[i];
  const TermId result = valueOf(failed, s.result);
  if (failed.constraints.assume(
          terms, terms.compare(Predicate::Equal, false, result, Terms::kZero, 64), id))
    after.push_back(std::move(failed));
  const TermId buffer = valueOf(after[i], facts_.operandsOf(s)[0]);
  after[i].constraints.assume(terms,
                              terms.compare(Predicate::Unequal, false, buffer, Terms::kZero, 64),
                              id, /*byAccess=*/true);
  set(after[i], s.result, buffer);
}

/// What a callee does with arguments beyond its named ones is not followed.
void FunctionRun::forgetVariadic(HeapState &state, StatementId id, FunctionId callee) {
  const Function &f = facts_.functions[callee];
  if (f.variadic == kNone) return;
  const auto operands = facts_.operandsOf(facts_.statements[id]);
  for (size_t i = f.parameters.size(); i < operands.size(); i++)
    if (facts_.values[operands[i]].mayPoint)
      state.forget(
          out_->terms,
          out_->terms
              .addressOf(state.constraints.simplified(out_->terms, valueOf(state, operands[i])))
              .base,
          /*escapes=*/true);
}

/// Pointers that the call itself follows; false: the way ends.
bool FunctionRun::checkOperands(HeapState &state, StatementId id) {
  const auto operands = facts_.operandsOf(facts_.statements[id]);
  for (uint32_t i = 0; i < operands.size() && i < 8; i++) {
    if (!facts_.values[operands[i]].mayPoint && operands[i] != kNullValue) continue;
    const UseKind use = view_.useOf(id, i);
    if (use == UseKind::Freed || use == UseKind::Closed) continue;
    const TermId pointer = valueOf(state, operands[i]);
    if (view_.dereferences(id, i)) {
      if (!access(state, id, pointer, 0, use == UseKind::Written)) return false;
    } else if (use == UseKind::Read || use == UseKind::Written) {
      checkReleased(state, id,
                    out_->terms.addressOf(state.constraints.simplified(out_->terms, pointer)).base);
    }
  }
  return true;
}

TermId FunctionRun::sizeOf(HeapState &state, StatementId id, const Summary &summary) {
  const auto operands = facts_.operandsOf(facts_.statements[id]);
  Terms &terms = out_->terms;
  const auto at = [&](uint32_t i) {
    return i < operands.size() ? state.constraints.simplified(terms, valueOf(state, operands[i]))
                               : kNoTerm;
  };
  if (summary.name == "realloc") return at(1);
  if (summary.name == "strdup" || summary.name == "__strdup")
    return terms.sum(textLength(state, at(0), id), 1);
  if (summary.bytesAt < 0) return kNoTerm;
  const TermId bytes = at(static_cast<uint32_t>(summary.bytesAt));
  if (summary.name != "calloc" || bytes == kNoTerm) return bytes;
  return terms.operation(Operation::Mul, at(0), bytes, 64, 64);
}

void FunctionRun::allocate(HeapState state, StatementId id, const Summary &summary,
                           std::vector<HeapState> &after) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  Terms &terms = out_->terms;
  const TermId made = terms.instance({.kind = Instance::Kind::Allocation,
                                      .statement = id,
                                      .serial = serial_++,
                                      .bytes = sizeOf(state, id, summary),
                                      .isZeroed = summary.allocates == Allocates::Zeroed});
  const bool resizes = summary.allocates == Allocates::Copied && summary.freed;
  if (resizes) {
    const TermId old = state.constraints.simplified(terms, valueOf(state, operands[0]));
    const TermId isMade = terms.compare(Predicate::Unequal, false, made, Terms::kZero, 64);
    if (!terms.numberOf(old)) {
      // It failed, and the old block is as it was.
      HeapState failed = state;
      if (failed.constraints.assume(terms, terms.negation(isMade), id)) {
        failed.fails = true;
        set(failed, s.result, made);
        after.push_back(std::move(failed));
      }
      if (!state.constraints.assume(terms, isMade, id, /*byAccess=*/true)) return;
      const Address from = terms.addressOf(old);
      std::vector<Cell> moved;
      for (const Cell &cell : state.cells)
        if (cell.at.base == from.base) moved.push_back(cell);
      release(state, id, old, /*closes=*/false);
      std::erase(state.made, from.base);
      for (Cell &cell : moved) cell.at.base = made;
      state.writeAll(terms, moved);
    }
    state.addForgotten(made);
  } else if (summary.allocates == Allocates::Copied) {
    state.addForgotten(made);
  }
  state.made.push_back(made);
  state.trace = out_->trace.add(state.trace, {StepRole::Allocates, id});
  if (summary.allocatesInto) {
    const TermId into = state.constraints.simplified(terms, valueOf(state, operands[0]));
    state.write(terms, terms.addressOf(into), 8, made);
    set(state, s.result, unknown(Origin::Result, id));
  } else {
    set(state, s.result, made);
  }
  after.push_back(std::move(state));
}

void FunctionRun::summarised(HeapState state, StatementId id, const Summary &summary,
                             std::vector<HeapState> &after) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  Terms &terms = out_->terms;
  if (summary.endsPath) return;
  if (summary.allocates != Allocates::Nothing && summary.name != "mmap")
    return allocate(std::move(state), id, summary, after);
  for (uint32_t i = 0; i < operands.size() && i < 8; i++)
    if (summary.freed >> i & 1) release(state, id, valueOf(state, operands[i]), /*closes=*/false);
  const auto baseAt = [&](uint32_t i) {
    return terms.addressOf(state.constraints.simplified(terms, valueOf(state, operands[i]))).base;
  };
  if (summary.name == "memset") {
    fill(state, id);
  } else if (summary.copies() && summary.to >= 0 &&
             std::max(summary.to, summary.from) < static_cast<int>(operands.size())) {
    copy(state, id, summary);
  } else {
    for (uint32_t i = 0; i < operands.size() && i < 8; i++)
      if (summary.written >> i & 1) state.forget(terms, baseAt(i), /*escapes=*/false);
    if (summary.calls >= 0)
      for (uint32_t i = 0; i < operands.size() && i < 8; i++)
        if (summary.passed >> i & 1) state.forget(terms, baseAt(i), /*escapes=*/true);
  }
  if (s.result != kNone) {
    TermId result = unknown(Origin::Result, id);
    if (!view_.mayReturnNull(facts_.calls[s.extra]) && summary.returned) {
      const auto i = static_cast<uint32_t>(std::countr_zero(summary.returned));
      if (i < operands.size()) {
        const TermId argument = valueOf(state, operands[i]);
        result = summary.copies() || summary.name == "memset"
                     ? argument
                     : terms.ofAddress({terms.addressOf(argument).base, result, 0});
      }
    }
    set(state, s.result, result);
  }
  after.push_back(std::move(state));
}

void FunctionRun::knownLibrary(HeapState state, StatementId id, const LibraryCall &known,
                               std::vector<HeapState> &after) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  Terms &terms = out_->terms;
  for (uint32_t i = 0; i < operands.size() && i < 8; i++) {
    if (!facts_.values[operands[i]].mayPoint) continue;
    if (known.released >> i & 1 && known.dereferenced >> i & 1)
      release(state, id, valueOf(state, operands[i]), /*closes=*/true);
    else
      state.forget(
          terms,
          terms.addressOf(state.constraints.simplified(terms, valueOf(state, operands[i]))).base,
          /*escapes=*/false);
  }
  if (known.opens) {
    const TermId made =
        terms.instance({.kind = Instance::Kind::File, .statement = id, .serial = serial_++});
    state.made.push_back(made);
    state.trace = out_->trace.add(state.trace, {StepRole::Opens, id});
    set(state, s.result, made);
  } else if (s.result != kNone) {
    set(state, s.result, unknown(Origin::Result, id));
  }
  after.push_back(std::move(state));
}

/// A call whose code is not looked at. isOwn: it may be the program's.
void FunctionRun::unknownCall(HeapState state, StatementId id, bool isOwn,
                              std::vector<HeapState> &after) {
  const Statement &s = facts_.statements[id];
  Terms &terms = out_->terms;
  for (const ValueId operand : facts_.operandsOf(s))
    if (facts_.values[operand].mayPoint)
      state.forget(
          terms, terms.addressOf(state.constraints.simplified(terms, valueOf(state, operand))).base,
          /*escapes=*/true);
  if (isOwn) forgetGlobals(state);
  if (s.result != kNone) set(state, s.result, unknown(Origin::Result, id));
  after.push_back(std::move(state));
}

/// Any global variable may have been written.
void FunctionRun::forgetGlobals(HeapState &state) {
  const Terms &terms = out_->terms;
  std::vector<TermId> globals;
  for (const Cell &cell : state.cells)
    if (terms.isInstance(cell.at.base) && isInputBase(cell.at.base) &&
        (globals.empty() || globals.back() != cell.at.base))
      globals.push_back(cell.at.base);
  state.forget(terms, std::move(globals), /*escapes=*/true);
  state.areGlobalsForgotten = true;
}

// ---- effects of the program's own functions ----------------------------------------------------

/// From a callee's terms to those of the caller, at one call.
class FunctionRun::Mapping {
public:
  Mapping(FunctionRun &run, HeapState &state, StatementId call, const FunctionEffects &effects)
      : run_(run), state_(state), call_(call), from_(effects.terms) {}

  TermId of(TermId term) {
    if (term == kNoTerm) return kNoTerm;
    if (const auto known = known_.find(term); known != known_.end()) return known->second;
    const TermId out = make(term);
    known_.emplace(term, out);
    return out;
  }
  Address of(const Address &at) {
    Terms &terms = run_.out_->terms;
    const TermId base = of(at.base), varying = of(at.varying);
    return terms.addressOf(
        state_.constraints.simplified(terms, terms.ofAddress({base, varying, at.offset})));
  }

private:
  TermId make(TermId term) {
    Terms &terms = run_.out_->terms;
    const Term t = from_[term];
    switch (t.kind) {
    case TermKind::Number: return terms.number(t.number);
    case TermKind::Symbol: return makeSymbol(from_.symbolOf(term));
    case TermKind::Instance: return makeInstance(from_.instanceOf(term));
    case TermKind::Compare:
      return terms.compare(t.predicate, t.isSigned, simple(t.a), simple(t.b), t.bits);
    case TermKind::Operation: {
      const bool isCast = t.operation >= Operation::ZExt;
      return terms.operation(t.operation, simple(t.a), isCast ? kNoTerm : simple(t.b), t.bits,
                             isCast ? static_cast<uint8_t>(from_[t.b].number) : t.bits);
    }
    }
    return run_.unknown(Origin::Unknown, call_);
  }
  TermId simple(TermId term) { return state_.constraints.simplified(run_.out_->terms, of(term)); }

  TermId makeSymbol(const Symbol &symbol) {
    const auto operands = run_.facts_.operandsOf(run_.facts_.statements[call_]);
    switch (symbol.origin) {
    case Origin::Parameter:
      if (symbol.index >= operands.size()) break;
      return operands[symbol.index] == kNullValue ? run_.out_->terms.null(call_)
                                                  : run_.valueOf(state_, operands[symbol.index]);
    case Origin::Content:
      return run_.read(state_, of(symbol.address), symbol.bytes, symbol.statement);
    case Origin::Null: return run_.out_->terms.null(symbol.statement);
    default: break;
    }
    return run_.unknown(symbol.origin, symbol.statement, symbol.bytes);
  }

  TermId makeInstance(const Instance &block) {
    if (block.kind == Instance::Kind::Variable) {
      // A variable of a call that has ended.
      if (run_.facts_.objects[block.object].kind == ObjectKind::Stack)
        return run_.unknown(Origin::Unknown, call_);
      return run_.addressOfObject(block.object);
    }
    Instance made = block;
    made.serial = run_.serial_++;
    made.bytes = of(block.bytes);
    return run_.out_->terms.instance(made);
  }

  FunctionRun &run_;
  HeapState &state_;
  const StatementId call_;
  const Terms &from_;
  std::unordered_map<TermId, TermId> known_;
};

/// What the callee accesses through the caller's pointers; false: the way ends there.
bool FunctionRun::applyAccesses(HeapState &state, Mapping &mapping, StatementId id,
                                FunctionId callee, const Effect &effect) {
  Terms &terms = out_->terms;
  for (const Access &access : effect.accesses) {
    TermId pointer = mapping.of(access.base);
    if (const TermId simple = state.constraints.simplified(terms, pointer); !terms.numberOf(simple))
      pointer = simple;
    const Address at = terms.addressOf(pointer);
    const auto number = state.constraints.numberOf(terms, at.base);
    const auto tellNull = [&](const HeapState &when) {
      Issue issue = issueAt(evidence::BugKind::NullDereference, access.at);
      explainNull(when, at.base, issue);
      issue.steps = {{issue.source == kNone ? StepRole::Calls : issue.sourceRole,
                      issue.source == kNone ? id : issue.source},
                     {StepRole::Calls, id}};
      tell(when, std::move(issue));
    };
    if (number) {
      if (*number != 0) continue;
      tellNull(state);
      return false;
    }
    if (const Released *released = state.findReleased(at.base)) {
      Issue issue = issueAt(evidence::BugKind::UseAfterFree, access.at);
      addEvent(state, released->by, issue);
      issue.steps.push_back({StepRole::Calls, id});
      tell(state, std::move(issue));
    }
    if (!state.constraints.isNotNull(terms, at.base)) {
      const TermId isThere = terms.compare(Predicate::Unequal, false, at.base, Terms::kZero, 64);
      if (terms.isInstance(at.base) || isLookup(at.base)) {
        HeapState failed = state;
        if (failed.constraints.assume(terms, terms.negation(isThere), id)) tellNull(failed);
      }
      if (!state.constraints.assume(terms, isThere, access.at, /*byAccess=*/true)) return false;
    }
    if (isInputBase(at.base) && terms.isSymbol(at.base))
      state.note({at.base, static_cast<uint32_t>(state.released.size()), access.at, state.trace});
    // What the callee released before under another name.
    for (uint32_t i = 0; i < access.after && i < effect.released.size(); i++) {
      if (terms.addressOf(mapping.of(effect.released[i].base)).base != at.base) continue;
      Issue issue = issueAt(evidence::BugKind::UseAfterFree, access.at);
      const StatementId by = innermost(callee, effect.released[i].by);
      issue.source = by;
      issue.sourceRole = effect.released[i].isClosed ? StepRole::Closes : StepRole::Frees;
      issue.steps = {{StepRole::Calls, id}, {issue.sourceRole, by}};
      tell(state, std::move(issue));
      break;
    }
  }
  return true;
}

/// What is right or wrong depending on the caller's values; false: the way ends there.
bool FunctionRun::applyChecks(HeapState &state, Mapping &mapping, StatementId id,
                              const Effect &effect) {
  for (const Check &check : effect.checks) {
    Check here = check;
    if (check.divisor != kNoTerm) {
      here.divisor = state.constraints.simplified(out_->terms, mapping.of(check.divisor));
      if (!checkDivisor(state, here, id)) return false;
    } else {
      here.address = mapping.of(check.address);
      checkBounds(state, here, id);
    }
  }
  return true;
}

void FunctionRun::apply(const HeapState &before, StatementId id, FunctionId callee,
                        const FunctionEffects &effects, std::vector<HeapState> &after) {
  for (const Effect &effect : effects.effects)
    if (std::optional<HeapState> state = applied(before, id, callee, effects, effect))
      after.push_back(std::move(*state));
}

std::optional<HeapState> FunctionRun::applied(const HeapState &before, StatementId id,
                                              FunctionId callee, const FunctionEffects &effects,
                                              const Effect &effect) {
  // An effect costs as much as the statements that it stands for, or nearly.
  executed_ += 1 + static_cast<uint32_t>(effect.cells.size() + effect.constraints.atoms().size());
  HeapState state = before;
  Terms &terms = out_->terms;
  Mapping mapping(*this, state, id, effects);
  // A condition that the caller contradicts is cheapest to find.
  for (const Atom &atom : effect.constraints.atoms())
    if (!atom.byAccess && !state.constraints.assume(terms, mapping.of(atom.condition), atom.at))
      return std::nullopt;
  if (!applyAccesses(state, mapping, id, callee, effect)) return std::nullopt;
  for (const Atom &atom : effect.constraints.atoms())
    if (atom.byAccess &&
        !state.constraints.assume(terms, mapping.of(atom.condition), atom.at, true))
      return std::nullopt;
  if (!applyChecks(state, mapping, id, effect)) return std::nullopt;
  state.fails |= effect.fails;
  if (effect.issue) {
    Issue issue = *effect.issue;
    if (++issue.depth > limits_.depth) return std::nullopt;
    issue.callers.insert(issue.callers.begin(), id);
    passOn(state, std::move(issue));
    return std::nullopt;
  }
  // All that the effect tells is computed from the heap before it changes.
  const size_t termsBefore = terms.size();
  std::vector<Cell> writes;
  for (const Cell &cell : effect.cells)
    writes.push_back({mapping.of(cell.at), cell.bytes, mapping.of(cell.value)});
  const TermId result = mapping.of(effect.result);
  state.fails |= needsFailure(state);
  std::vector<TermId> forgotten, escaped, zeroed, released;
  const auto bases = [&](const std::vector<TermId> &of, std::vector<TermId> &out) {
    for (const TermId base : of)
      out.push_back(terms.addressOf(state.constraints.simplified(terms, mapping.of(base))).base);
  };
  bases(effect.forgotten, forgotten);
  bases(effect.escaped, escaped);
  bases(effect.zeroed, zeroed);
  for (const Released &r : effect.released) released.push_back(mapping.of(r.base));
  if (effect.areGlobalsForgotten) forgetGlobals(state);
  state.forget(terms, std::move(forgotten), /*escapes=*/false);
  state.forget(terms, std::move(escaped), /*escapes=*/true);
  for (const TermId base : zeroed) {
    state.forget(terms, base, /*escapes=*/false);
    std::erase(state.forgotten, base);
    state.zeroed.push_back(base);
  }
  for (size_t i = 0; i < released.size(); i++)
    release(state, id, released[i], effect.released[i].isClosed, callee, effect.released[i].by);
  state.writeAll(terms, writes);
  for (const TermId base : effect.made) state.made.push_back(mapping.of(base));
  executed_ += static_cast<uint32_t>(terms.size() - termsBefore) / 4;
  const Statement &s = facts_.statements[id];
  if (s.result != kNone)
    set(state, s.result, result == kNoTerm ? unknown(Origin::Result, id) : result);
  return state;
}

} // namespace fathom::statics::heap
