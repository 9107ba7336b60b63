// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the program's own functions: their effects, in the caller's terms.
#include "statics/heap/FunctionRun.h"

#include <algorithm>

namespace fathom::statics::heap {

/// From a callee's terms to those of the caller, at one call.
class FunctionRun::Mapping {
public:
  Mapping(FunctionRun &run, HeapState &state, StatementId call, const FunctionEffects &effects)
      : run_(run), state_(state), call_(call), from_(effects.terms) {
    if (run_.mapped_.size() < from_.size()) run_.mapped_.resize(from_.size(), kNoTerm);
  }
  ~Mapping() {
    for (const TermId term : used_) run_.mapped_[term] = kNoTerm;
  }
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  TermId of(TermId term) {
    if (term == kNoTerm) return kNoTerm;
    if (run_.mapped_[term] != kNoTerm) return run_.mapped_[term];
    const TermId out = make(term);
    run_.mapped_[term] = out;
    used_.push_back(term);
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
      return run_.operandOf(state_, operands[symbol.index], call_);
    case Origin::Content:
      return run_.read(state_, of(symbol.address), symbol.bytes, symbol.statement);
    case Origin::Null: return run_.out_->terms.null(symbol.statement);
    // How it hangs together with the callee's other values was looked at there.
    case Origin::Widened: return run_.unknown(Origin::Unknown, symbol.statement, symbol.bytes);
    default: break;
    }
    return run_.out_->terms.symbol({.origin = symbol.origin,
                                    .statement = symbol.statement,
                                    .bytes = symbol.bytes,
                                    .low = symbol.low,
                                    .high = symbol.high});
  }

  TermId makeInstance(const Instance &block) {
    if (block.kind == Instance::Kind::Variable) {
      // A variable of a call that has ended.
      if (run_.facts_.objects[block.object].kind == ObjectKind::Stack)
        return run_.unknown(Origin::Unknown, call_);
      return run_.addressOfObject(block.object);
    }
    Instance made = block;
    // What a wrapper allocates is made by its call.
    const FunctionId maker = run_.view_.functionOf(made.statement);
    if (run_.facts_.functions[maker].isThinWrapper) made.statement = call_;
    made.bytes = of(block.bytes);
    return run_.out_->terms.instance(made);
  }

  FunctionRun &run_;
  HeapState &state_;
  const StatementId call_;
  const Terms &from_;
  std::vector<TermId> used_; ///< those of run_.mapped_ that have a value
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
      endsInDefect_ = true;
      return false;
    }
    if (const Released *released = state.findReleased(at.base)) {
      Issue issue = issueAt(evidence::BugKind::UseAfterFree, access.at);
      addEvent(released->by, issue);
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
      if (!checkDivisor(state, here, id)) {
        endsInDefect_ = true;
        return false;
      }
    } else if (check.text != kNoTerm) {
      checkTextRead(state, check.at, mapping.of(check.text), id);
    } else {
      here.address = mapping.of(check.address);
      checkBounds(state, here, id);
    }
  }
  return true;
}

void FunctionRun::apply(HeapState before, StatementId id, FunctionId callee,
                        const FunctionEffects &effects, std::vector<HeapState> &after) {
  // What global variables hold is the same for all effects: it is read once.
  for (TermId term = 0; effects.effects.size() > 1 && term < effects.terms.size(); term++) {
    if (!effects.terms.isSymbol(term)) continue;
    const Symbol &symbol = effects.terms.symbolOf(term);
    const Address &at = symbol.address;
    if (symbol.origin != Origin::Content || at.varying != kNoTerm ||
        !effects.terms.isInstance(at.base))
      continue;
    const ObjectId global = effects.terms.instanceOf(at.base).object;
    read(before, {addressOfObject(global), kNoTerm, at.offset}, symbol.bytes, symbol.statement);
  }
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
  state.isBlurredBelow |= effect.isBlurred;
  if (effect.issue) {
    if (effect.issue->callers.size() >= limits_.depth) return std::nullopt;
    Issue issue = *effect.issue;
    issue.event = kNoTrace;
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
  std::vector<TermId> forgotten, escaped, copied, partly, zeroed, released;
  const auto bases = [&](const std::vector<TermId> &of, std::vector<TermId> &out) {
    for (const TermId base : of)
      out.push_back(terms.addressOf(state.constraints.simplified(terms, mapping.of(base))).base);
  };
  bases(effect.forgotten, forgotten);
  bases(effect.escaped, escaped);
  bases(effect.copied, copied);
  bases(effect.partlyWritten, partly);
  bases(effect.zeroed, zeroed);
  for (const Released &r : effect.released) released.push_back(mapping.of(r.pointer));
  // Before anything escapes: only what was made does.
  for (const TermId base : effect.made) state.made.push_back(mapping.of(base));
  for (const TermId base : partly) state.addPartlyWritten(base);
  for (const TermId base : copied) state.spread(terms, base, isInputBase(base));
  if (effect.areGlobalsForgotten) forgetGlobals(state, id);
  state.forget(terms, std::move(forgotten), /*escapes=*/false);
  state.forget(terms, std::move(escaped), /*escapes=*/true);
  for (const TermId base : zeroed) {
    state.forget(terms, base, /*escapes=*/false);
    std::erase(state.forgotten, base);
    std::erase(state.mixed, base);
    state.zeroed.push_back(base);
  }
  for (size_t i = 0; i < released.size(); i++)
    release(state, id, released[i], effect.released[i].isClosed, callee, effect.released[i].by);
  state.writeAll(terms, writes);
  executed_ += static_cast<uint32_t>(terms.size() - termsBefore) / 4;
  const Statement &s = facts_.statements[id];
  if (s.result != kNone)
    set(state, s.result, result == kNoTerm ? unknown(Origin::Result, id) : result);
  return state;
}

} // namespace fathom::statics::heap
