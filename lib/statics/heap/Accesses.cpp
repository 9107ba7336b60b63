// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes wrong with memory on a symbolic heap: accesses through null, to freed objects, outside
// of objects; frees; and memory that nothing points to when the function returns.
#include "statics/heap/FunctionChecks.h"

#include <algorithm>
#include <unordered_set>

namespace fathom::statics::heap {

using evidence::BugKind;

/// Addresses in the first page are null with an offset.
static constexpr int64_t kFirstPage = 4096;

/// Is it an address in the first page, but not null itself, which some functions may be given?
bool FunctionChecks::isNullWithOffset(const HeapState &state, TermId pointer) const {
  const auto number = out_->terms.numberOf(state.constraints.simplified(out_->terms, pointer));
  return number && *number > 0 && *number < kFirstPage;
}

/// False: the way ends here.
bool FunctionChecks::checkNull(HeapState &state, StatementId id, TermId pointer) {
  Terms &terms = out_->terms;
  const Address at = terms.addressOf(pointer);
  const std::optional<int64_t> base = state.constraints.numberOf(terms, at.base);
  if (base && *base >= 0 && *base < kFirstPage && at.offset >= 0 && at.offset < kFirstPage) {
    Issue issue = issueAt(BugKind::NullDereference, id);
    explainNull(state, at.base, issue);
    tell(state, std::move(issue));
    return false;
  }
  if (base || state.constraints.isNotNull(terms, at.base)) return true;
  // It was there: null is excluded behind it.
  const bool mayFail = (terms.isInstance(at.base)) || isLookup(at.base);
  const TermId isThere = terms.compare(Predicate::Unequal, false, at.base, Terms::kZero, 64);
  if (mayFail) {
    HeapState failed = state;
    if (failed.constraints.assume(terms, terms.negation(isThere), id)) {
      Issue issue = issueAt(BugKind::NullDereference, id);
      explainNull(failed, at.base, issue);
      tell(failed, std::move(issue));
    }
  }
  return state.constraints.assume(terms, isThere, id, /*byAccess=*/true);
}

void FunctionChecks::checkReleased(HeapState &state, StatementId id, TermId base) {
  const Released *released = state.findReleased(base);
  if (!released) return;
  Issue issue = issueAt(BugKind::UseAfterFree, id);
  addEvent(released->by, issue);
  tell(state, std::move(issue));
}

/// For callers to look at.
void FunctionChecks::note(HeapState &state, const Check &check) {
  constexpr size_t kMaxChecks = 24;
  if (state.checks.size() < kMaxChecks &&
      std::ranges::find(state.checks, check) == state.checks.end())
    state.checks.push_back(check);
}

/// False: the way ends here.
bool FunctionChecks::checkDivisor(HeapState &state, const Check &check, StatementId call) {
  const std::optional<int64_t> divisor = state.constraints.numberOf(out_->terms, check.divisor);
  if (!divisor && isInput(check.divisor)) note(state, check);
  if (divisor != 0) return true;
  Issue issue = issueAt(BugKind::DivisionByZero, check.at);
  if (call != kNone) issue.steps.push_back({StepRole::Calls, call});
  tell(state, std::move(issue));
  return false;
}

/// A variable that has no value on this path is used.
void FunctionChecks::checkUnwritten(HeapState &state, StatementId id) {
  const Statement &s = facts_.statements[id];
  const bool isMoved = s.kind == StatementKind::Copy || s.kind == StatementKind::Return;
  if (isMoved) return;
  for (const ValueId operand : facts_.operandsOf(s)) {
    if (operand == kUndefinedValue || facts_.values[operand].function != id_) continue;
    TermId &term = state.values[operand - function_.firstValue];
    if (term == kNoTerm || !out_->terms.isSymbol(term) ||
        out_->terms.symbolOf(term).origin != Origin::Unwritten)
      continue;
    Issue issue = issueAt(BugKind::UninitializedRead, id);
    issue.source = out_->terms.symbolOf(term).statement;
    issue.sourceRole = StepRole::Unwritten;
    term = unknown(Origin::Unknown, id); // told once
    tell(state, std::move(issue));
  }
}

bool FunctionChecks::access(HeapState &state, StatementId id, TermId pointer, uint64_t bytes,
                            bool writes) {
  Terms &terms = out_->terms;
  // Null remembers where it was chosen.
  if (const TermId simple = state.constraints.simplified(terms, pointer); !terms.numberOf(simple))
    pointer = simple;
  if (!checkNull(state, id, pointer)) return false;
  const Address at = terms.addressOf(pointer);
  checkReleased(state, id, at.base);
  checkBounds(state,
              {.at = id, .address = at, .bytes = static_cast<uint32_t>(bytes), .writes = writes});
  if (terms.isSymbol(at.base) && isInputBase(at.base))
    state.note({at.base, static_cast<uint32_t>(state.released.size()), id, state.trace});
  return true;
}

/// free, fclose and their like.
void FunctionChecks::release(HeapState &state, StatementId id, TermId pointer, bool closes,
                             FunctionId callee, TraceId inside) {
  Terms &terms = out_->terms;
  const TermId simple = state.constraints.simplified(terms, pointer);
  if (terms.numberOf(simple)) return; // of null: nothing
  const Address at = terms.addressOf(simple);
  // What only passes its argument to free is told by its call.
  const StatementId inner = callee == kNone ? id : innermost(callee, inside);
  const bool isWrapped =
      callee != kNone && view_.freeWrapperOf(facts_.calls[facts_.statements[id].extra]);
  const auto issueOf = [&](BugKind kind) {
    Issue issue = issueAt(kind, isWrapped ? id : inner);
    if (isWrapped) issue.follows = inner;
    return issue;
  };
  const auto tellIt = [&](Issue issue) {
    if (callee != kNone && !isWrapped) {
      if (issue.steps.empty() && issue.source != kNone)
        issue.steps.push_back({issue.sourceRole, issue.source});
      issue.steps.push_back({StepRole::Calls, id});
    }
    tell(state, std::move(issue));
  };
  if (const Released *before = state.findReleased(at.base)) {
    Issue issue = issueOf(BugKind::DoubleFree);
    addEvent(before->by, issue);
    return tellIt(std::move(issue));
  }
  if (terms.isInstance(at.base)) {
    const Instance &block = terms.instanceOf(at.base);
    const bool isVariable = block.kind == Instance::Kind::Variable &&
                            facts_.objects[block.object].kind != ObjectKind::Environment &&
                            facts_.objects[block.object].kind != ObjectKind::Unknown;
    const bool isInside =
        block.kind == Instance::Kind::Allocation && (at.offset != 0 && at.varying == kNoTerm);
    if (!closes && (isVariable || isInside)) {
      Issue issue = issueOf(BugKind::InvalidFree);
      setMadeBy(issue, block);
      issue.bounds.offset = at.offset;
      tellIt(std::move(issue)); // no leak besides
    }
  }
  state.trace = out_->trace.add(state.trace, {closes ? StepRole::Closes : StepRole::Frees, id},
                                callee, inside);
  state.released.push_back({at.base, simple, state.trace, closes});
}

/// Memory of this function and its callees that nothing points to any more.
void FunctionChecks::checkLeaks(HeapState &state, StatementId at, TermId result) {
  if (state.made.empty()) return;
  Terms &terms = out_->terms;
  std::unordered_set<TermId> reached;
  std::vector<TermId> open;
  const auto reach = [&](TermId term) {
    if (term == kNoTerm || terms.numberOf(term)) return;
    const TermId base = terms.addressOf(term).base;
    if (reached.insert(base).second) open.push_back(base);
  };
  reach(result);
  for (const TermId base : state.escaped) reach(base);
  for (const Cell &cell : state.cells)
    if (isInputBase(cell.at.base) || (terms.isSymbol(cell.at.base) && !cell.isInput)) {
      reach(cell.at.base);
      reach(cell.value);
    }
  while (!open.empty()) {
    const TermId base = open.back();
    open.pop_back();
    for (const Cell &cell : state.cellsOf(base)) reach(cell.value);
  }
  std::vector<TermId> kept;
  for (const TermId base : state.made) {
    if (state.findReleased(base) || state.constraints.isNull(terms, base)) continue;
    if (reached.contains(base)) {
      kept.push_back(base);
      continue;
    }
    const Instance &block = terms.instanceOf(base);
    const bool isFile = block.kind == Instance::Kind::File;
    Issue issue = issueAt(isFile ? BugKind::HandleLeak : BugKind::Leak, at);
    setMadeBy(issue, block);
    tell(state, std::move(issue));
  }
  state.made = std::move(kept);
}

} // namespace fathom::statics::heap
