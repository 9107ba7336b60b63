// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a defect on one path to an issue: its steps, and whether it is this function's or depends on
// what callers pass.
#include "statics/heap/FunctionChecks.h"

#include <algorithm>

namespace fathom::statics::heap {

Issue FunctionChecks::issueAt(evidence::BugKind kind, StatementId sink) const {
  Issue out;
  out.kind = kind;
  out.sink = sink;
  return out;
}

/// The issue's source is what made the object.
void FunctionChecks::setMadeBy(Issue &issue, const Instance &object) const {
  const bool isVariable = object.kind == Instance::Kind::Variable;
  issue.source = isVariable ? facts_.objects[object.object].site : object.statement;
  if (isVariable && issue.source == kNone) issue.global = object.object;
  issue.sourceRole = isVariable                            ? StepRole::Declares
                     : object.kind == Instance::Kind::File ? StepRole::Opens
                                                           : StepRole::Allocates;
}

/// Why the pointer is null.
void FunctionChecks::explainNull(const HeapState &state, TermId base, Issue &issue) const {
  const Terms &terms = out_->terms;
  if (terms.isSymbol(base)) {
    const Symbol &symbol = terms.symbolOf(base);
    if (symbol.origin == Origin::Null) {
      const Statement &s = facts_.statements[symbol.statement];
      // It found nothing, or null was passed to it.
      issue.isLookup = symbol.statement != issue.sink && s.kind == StatementKind::Call &&
                       s.result != kNone && view_.mayReturnNull(facts_.calls[s.extra]);
      issue.source = symbol.statement;
      issue.sourceRole = issue.isLookup ? StepRole::MaybeNull : StepRole::Null;
    }
    if (isLookup(base)) {
      issue.source = symbol.statement;
      issue.sourceRole = StepRole::MaybeNull;
      issue.isLookup = true;
    }
  }
  if (terms.isInstance(base)) {
    issue.source = terms.instanceOf(base).statement;
    issue.sourceRole = StepRole::MaybeNull;
    issue.needsFailure = terms.instanceOf(base).kind == Instance::Kind::Allocation;
    issue.isLookup = terms.instanceOf(base).kind == Instance::Kind::File;
  }
  if (issue.source != kNone) return;
  // The address itself is a constant.
  const Statement &sink = facts_.statements[issue.sink];
  const bool isAccess = sink.kind == StatementKind::Load || sink.kind == StatementKind::Store;
  if (isAccess && terms.numberOf(base) &&
      facts_.values[facts_.operandsOf(sink)[0]].function != id_) {
    issue.source = issue.sink;
    issue.sourceRole = StepRole::Null;
    return;
  }
  const auto isOwn = [&](StatementId at) { return at != kNone && view_.functionOf(at) == id_; };
  for (const Atom &atom : state.constraints.atoms()) {
    const Term &t = terms[atom.condition];
    if (t.kind == TermKind::Compare && t.predicate == Predicate::Equal && t.a == base &&
        terms.numberOf(t.b) == 0 && (issue.source == kNone || isOwn(atom.at))) {
      issue.source = atom.at;
      issue.sourceRole = StepRole::IsNull;
    }
  }
  // A called function that compares what it reads with null looks for something, mostly: nothing
  // else says that it does not find it.
  const bool isReadThere = terms.isSymbol(base) && terms.symbolOf(base).statement != kNone &&
                           !isOwn(terms.symbolOf(base).statement);
  issue.isUnchecked |= issue.source != kNone && !isOwn(issue.source) && isReadThere;
}

/// The event is the issue's source, with the calls that it happened in.
void FunctionChecks::addEvent(TraceId event, Issue &issue) const {
  const TraceNode &node = out_->trace[event];
  issue.event = event;
  issue.source = node.step.statement;
  const auto append = [&](auto &&self, const TraceNode &at) -> void {
    if (at.callee == kNone) {
      issue.source = at.step.statement;
      issue.steps.push_back(at.step);
      return;
    }
    const FunctionEffects *effects = effectsOf_(at.callee);
    issue.steps.push_back({StepRole::Calls, at.step.statement});
    if (effects && at.inside != kNoTrace) self(self, effects->trace[at.inside]);
    issue.steps.push_back({StepRole::Returns, at.step.statement});
  };
  append(append, node);
}

bool FunctionChecks::dependsOnCallers(const HeapState &state) const {
  return std::ranges::any_of(state.constraints.atoms(), [&](const Atom &atom) {
    return !atom.byAccess && isInput(atom.condition);
  });
}

/// Does an allocation fail on the path?
bool FunctionChecks::needsFailure(const HeapState &state) const {
  const Terms &terms = out_->terms;
  return state.fails || std::ranges::any_of(state.constraints.atoms(), [&](const Atom &atom) {
           const Term &t = terms[atom.condition];
           return t.kind == TermKind::Compare && t.predicate == Predicate::Equal &&
                  terms.numberOf(t.b) == 0 && terms.isInstance(t.a) &&
                  terms.instanceOf(t.a).kind == Instance::Kind::Allocation;
         });
}

/// The branches of the path behind the source.
void FunctionChecks::addPath(const HeapState &state, Issue &issue) const {
  constexpr size_t kMaxBranches = 4;
  std::vector<Step> branches;
  for (TraceId at = state.trace; at != kNoTrace && branches.size() < kMaxBranches;
       at = out_->trace[at].previous) {
    const TraceNode &node = out_->trace[at];
    if (node.step.statement == issue.source && !isBranch(node.step)) break;
    if (isBranch(node.step)) branches.push_back(node.step);
  }
  if (issue.steps.empty() && issue.source != kNone)
    issue.steps.push_back({issue.sourceRole, issue.source});
  issue.steps.insert(issue.steps.end(), branches.rbegin(), branches.rend());
  issue.steps.push_back({StepRole::Defect, issue.sink});
}

void FunctionChecks::tell(const HeapState &state, Issue issue) {
  addPath(state, issue);
  passOn(state, std::move(issue));
}

/// Two numbers that the program computes happen to be equal, such as the ends of a buffer: mostly
/// some invariant of the program's data excludes that, of which nothing is known here.
static bool isCoincidence(const Terms &terms, const Atom &atom) {
  const Term &t = terms[atom.condition];
  if (atom.byAccess || t.kind != TermKind::Compare || t.predicate != Predicate::Equal) return false;
  const auto isComputed = [&](TermId id) {
    const Operation op = terms[id].operation;
    return terms[id].kind == TermKind::Operation && (op == Operation::Add || op == Operation::Sub ||
                                                     op == Operation::Mul || op == Operation::Shl);
  };
  const auto number = terms.numberOf(t.b);
  return number ? *number < -1 || isComputed(t.a) : isComputed(t.a) || isComputed(t.b);
}

/// Does a called function look at a number in the object itself to decide whether to free it?
/// Mostly that counts references, and callers know that theirs is not the last one.
bool FunctionChecks::isFreedByCount(const HeapState &state, TraceId event) const {
  const auto released = std::ranges::find(state.released, event, &Released::by);
  if (released == state.released.end() || out_->trace[event].callee == kNone) return false;
  const Terms &terms = out_->terms;
  const auto isOfObject = [&](TermId symbol) {
    const Symbol &s = terms.symbolOf(symbol);
    if (s.origin == Origin::Content && s.address.base == released->base) return true;
    return std::ranges::any_of(state.cellsOf(released->base), [&](const Cell &cell) {
      return cell.value != kNoTerm &&
             terms.mentions(cell.value, [&](TermId other) { return other == symbol; });
    });
  };
  return std::ranges::any_of(state.constraints.atoms(), [&](const Atom &atom) {
    const Term &t = terms[atom.condition];
    const bool isOfPointer = t.kind == TermKind::Compare && t.bits == 64 && terms.isSymbol(t.a) &&
                             terms.numberOf(t.b) == 0;
    const bool isBelow = atom.at != kNone && view_.functionOf(atom.at) != id_;
    return isBelow && !atom.byAccess && !isOfPointer && terms.mentions(atom.condition, isOfObject);
  });
}

/// REQUIRES: it has its source.
Extent FunctionChecks::extentOf(const HeapState &state, const Issue &issue) const {
  if (issue.source == kNone) return Extent::Open;
  const bool isInOne = view_.functionOf(issue.source) == view_.functionOf(issue.sink);
  using enum BugKind;
  if (issue.kind == UseAfterFree || issue.kind == DoubleFree) {
    if (isInOne && view_.functionOf(issue.sink) == id_) return Extent::OneRun;
    const bool isOfRun = issue.event != kNoTrace && !isFreedByCount(state, issue.event);
    return isOfRun ? Extent::OneRun : Extent::Open;
  }
  if (!isInOne || issue.kind != NullDereference || issue.sourceRole != StepRole::Null)
    return Extent::Open;
  return issue.source == issue.sink ? Extent::OneRun : Extent::SetToNull;
}

/// To callers, if it depends on them; otherwise it is found. REQUIRES: it has its steps.
void FunctionChecks::passOn(const HeapState &state, Issue issue) {
  issue.needsFailure |= needsFailure(state);
  if (issue.callers.empty()) issue.extent = extentOf(state, issue);
  // Heaps that are one now agreed in what reports of objects are about, but not in numbers.
  using enum BugKind;
  const bool isOfNumbers = issue.kind == OutOfBoundsRead || issue.kind == OutOfBoundsWrite ||
                           issue.kind == DivisionByZero || issue.kind == UninitializedRead;
  // What a callee left in several places belongs together.
  const bool isOfCallee = !isOfNumbers && issue.kind != Leak && issue.kind != HandleLeak &&
                          issue.source != kNone && view_.functionOf(issue.source) != id_;
  // What was freed since then was freed on this path.
  const bool isOfPath = issue.event != kNoTrace && issue.event >= state.blurredAt;
  const bool isBlurred = (state.isBlurred && !isOfPath) || (isOfCallee && state.isBlurredBelow);
  // Then what callers pass only decides whether the path is taken.
  const bool isOfOneBelow = !issue.callers.empty() && view_.functionOf(issue.sink) != id_ &&
                            issue.extent == Extent::OneRun;
  issue.isUnchecked |= (isBlurred && !isOfOneBelow) ||
                       std::ranges::any_of(state.constraints.atoms(), [&](const Atom &atom) {
                         return isCoincidence(out_->terms, atom) ||
                                (isOfNumbers && !atom.byAccess && isOfWidened(atom.condition));
                       });
  if (!dependsOnCallers(state)) {
    const bool isMust = std::ranges::all_of(state.constraints.atoms(), &Atom::byAccess);
    return (*found_)(issue, isMust);
  }
  if (out_->effects.size() >= limits_.effects + limits_.issues) return;
  const auto known = std::ranges::find_if(out_->effects, [&](const Effect &e) {
    return e.issue && e.issue->kind == issue.kind && e.issue->sink == issue.sink &&
           e.issue->source == issue.source;
  });
  if (known != out_->effects.end()) {
    // One that needs no failing allocation says more.
    if (!known->issue->needsFailure || issue.needsFailure) return;
    out_->effects.erase(known);
  }
  Effect effect;
  effect.constraints = state.constraints;
  effect.accesses = state.accesses;
  effect.trace = state.trace;
  effect.fails = state.fails;
  effect.issue = std::move(issue);
  out_->effects.push_back(std::move(effect));
}

/// The statement of libc's free in the calls that an event went through.
StatementId FunctionChecks::innermost(FunctionId callee, TraceId inside) const {
  const FunctionEffects *effects = effectsOf_(callee);
  const TraceNode *node = nullptr;
  while (effects && inside != kNoTrace) {
    node = &effects->trace[inside];
    if (node->callee == kNone) break;
    inside = node->inside;
    effects = effectsOf_(node->callee);
  }
  return node ? node->step.statement : kNone;
}

} // namespace fathom::statics::heap
