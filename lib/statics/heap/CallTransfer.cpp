// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: whose code they are, and those of library functions by their descriptions.
#include "statics/heap/FunctionRun.h"

#include <algorithm>

namespace fathom::statics::heap {

void FunctionRun::call(HeapState state, StatementId id, std::vector<HeapState> &after) {
  const Statement &s = facts_.statements[id];
  std::optional<PureCall> pure = pureCallAt(state, id);
  if (!pure) return makeCall(std::move(state), id, after);
  if (const TermId known = state.pure.find(pure->callee, pure->arguments); known != kNoTerm) {
    set(state, s.result, known);
    return after.push_back(std::move(state));
  }
  const size_t first = after.size();
  makeCall(std::move(state), id, after);
  for (size_t i = first; i < after.size(); i++) {
    pure->result = valueOf(after[i], s.result);
    after[i].pure.add(*pure);
  }
}

/// Does a call of the function only look at memory?
bool FunctionRun::isPure(FunctionId callee) const {
  if (callee == kNone) return false;
  if (!view_.isOwn(callee)) {
    const LibraryFunction *known = facts_.functions[callee].known;
    return known && known->isRepeatable;
  }
  const FunctionEffects *effects = effectsOf_(callee);
  return effects && effects->isKnown && effects->isPure;
}

/// Does the function only look at memory, whatever way it takes?
bool FunctionRun::onlyLooks() const {
  for (BlockId b = function_.firstBlock; b < function_.firstBlock + function_.numBlocks; b++)
    for (StatementId id = facts_.blocks[b].firstStatement; id < facts_.blocks[b].end(); id++) {
      const Statement &s = facts_.statements[id];
      if (s.kind == StatementKind::Store) return false;
      if (s.kind != StatementKind::Call) continue;
      const CallSite &site = facts_.calls[s.extra];
      const Summary *summary = view_.summaryOf(site);
      if (!isPure(site.callee) && !(summary && summary->endsPath)) return false;
    }
  return true;
}

/// What the call looks at; nullopt: it may do more than look.
std::optional<PureCall> FunctionRun::pureCallAt(HeapState &state, StatementId id) {
  const Statement &s = facts_.statements[id];
  const FunctionId callee = facts_.calls[s.extra].callee;
  if (s.result == kNone || !isPure(callee)) return std::nullopt;
  PureCall out{.callee = callee, .readsAny = view_.isOwn(callee)};
  for (const ValueId operand : facts_.operandsOf(s)) {
    out.arguments.push_back(state.constraints.simplified(out_->terms, valueOf(state, operand)));
    if (facts_.values[operand].mayPoint)
      out.bases.push_back(out_->terms.addressOf(out.arguments.back()).base);
  }
  std::ranges::sort(out.bases);
  return out;
}

void FunctionRun::makeCall(HeapState state, StatementId id, std::vector<HeapState> &after) {
  const CallSite &site = facts_.calls[facts_.statements[id].extra];
  const std::vector<FunctionId> &all = view_.pts.callees(facts_.statements[id].extra);
  std::span<const FunctionId> callees = all;
  if (const FunctionId target = knownTarget(state, site); target != kNone) {
    const auto known = std::ranges::find(all, target);
    callees = std::span(known, known == all.end() ? 0 : 1);
  }
  // Through a pointer that may be to several functions, each is called on a way of its own.
  const bool isOne = site.callee != kNone || site.summary || all.size() <= 1;
  if (isOne) {
    if (!checkOperands(state, id)) return;
    const Summary *summary = view_.summaryOf(site);
    const LibraryFunction *known = view_.knownOf(site);
    if (summary || known) return libraryCall(std::move(state), id, summary, known, after);
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
    apply(std::move(before), id, callee, *effectsOf_(callee), after);
  }
}

/// Did a bound leave out ways through a function that it may call?
bool FunctionRun::isCutCall(StatementId id) const {
  return std::ranges::any_of(
      view_.pts.callees(facts_.statements[id].extra), [&](FunctionId callee) {
        const FunctionEffects *effects = view_.isOwn(callee) ? effectsOf_(callee) : nullptr;
        return effects && effects->isCut;
      });
}

/// Are its effects known, and is there a way through it?
bool FunctionRun::isFollowed(FunctionId callee) const {
  if (facts_.functions[callee].parsesOptions) return false;
  const FunctionEffects *effects = view_.isOwn(callee) ? effectsOf_(callee) : nullptr;
  if (!effects || !effects->isKnown) return false;
  return !effects->isCut ||
         std::ranges::any_of(effects->effects, [](const Effect &e) { return !e.issue; });
}

/// \param known  null: `summary` is that of a system call
void FunctionRun::libraryCall(HeapState state, StatementId id, const Summary *summary,
                              const LibraryFunction *known, std::vector<HeapState> &after) {
  const BufferEffect effect = known ? useBuffers(state, id, known->buffer) : BufferEffect{};
  const size_t first = after.size();
  if (summary)
    summarised(std::move(state), id, *summary, after);
  else
    knownLibrary(std::move(state), id, *known, after);
  const size_t last = after.size();
  for (size_t i = first; known && i < last; i++) {
    splitByCall(after, i, id, *known, effect);
    applyBuffers(after[i], id, known->buffer, effect);
  }
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

/// Is the pointer a named argument of a library function, which has it to use it? Behind those,
/// printf may just print it.
bool FunctionRun::isGiven(StatementId call, uint32_t operand, UseKind use) const {
  const CallSite &site = facts_.calls[facts_.statements[call].extra];
  return use == UseKind::Passed && site.callee != kNone && facts_.functions[site.callee].hasBody &&
         operand < facts_.functions[site.callee].parameters.size();
}

/// Pointers that the call itself follows; false: the way ends.
bool FunctionRun::checkOperands(HeapState &state, StatementId id) {
  const auto operands = facts_.operandsOf(facts_.statements[id]);
  for (uint32_t i = 0; i < operands.size() && i < 8; i++) {
    const auto number = facts_.numbers.find(operands[i]);
    const bool isNumber = number != facts_.numbers.end() && number->second != 0;
    if (!facts_.values[operands[i]].mayPoint && operands[i] != kNullValue && !isNumber) continue;
    const UseKind use = view_.useOf(id, i);
    if (use == UseKind::Freed || use == UseKind::Closed) continue;
    const TermId pointer = isNumber ? out_->terms.sum(out_->terms.null(id), number->second)
                                    : operandOf(state, operands[i], id);
    const bool isUsed = use == UseKind::Read || use == UseKind::Written;
    if (view_.dereferences(id, i) ||
        (view_.isUsedUnlessNull(id, i) && isNullWithOffset(state, pointer))) {
      if (!access(state, id, pointer, 0, use == UseKind::Written)) return false;
    } else if (isUsed || isGiven(id, i, use)) {
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
  if (summary.textAt >= 0)
    return terms.sum(textLength(state, at(static_cast<uint32_t>(summary.textAt)), id), 1);
  if (summary.bytesAt < 0) return kNoTerm;
  const TermId bytes = at(static_cast<uint32_t>(summary.bytesAt));
  if (summary.timesAt < 0 || bytes == kNoTerm) return bytes;
  const TermId times = at(static_cast<uint32_t>(summary.timesAt));
  return times == kNoTerm ? kNoTerm : terms.operation(Operation::Mul, times, bytes, 64, 64);
}

void FunctionRun::allocate(HeapState state, StatementId id, const Summary &summary,
                           std::vector<HeapState> &after) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  Terms &terms = out_->terms;
  const TermId made = terms.instance({.kind = Instance::Kind::Allocation,
                                      .statement = id,
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
      const std::span<const Cell> there = state.cellsOf(from.base);
      std::vector<Cell> moved(there.begin(), there.end());
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
  if (summary.allocates != Allocates::Nothing && !summary.maps)
    return allocate(std::move(state), id, summary, after);
  for (uint32_t i = 0; i < operands.size() && i < 8; i++)
    if (summary.freed >> i & 1) release(state, id, valueOf(state, operands[i]), /*closes=*/false);
  const auto baseAt = [&](uint32_t i) {
    return terms.addressOf(state.constraints.simplified(terms, valueOf(state, operands[i]))).base;
  };
  if (summary.sets) {
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
        result = summary.copies() || summary.sets
                     ? argument
                     : terms.ofAddress({terms.addressOf(argument).base, result, 0});
      }
    }
    set(state, s.result, result);
  }
  after.push_back(std::move(state));
}

void FunctionRun::knownLibrary(HeapState state, StatementId id, const LibraryFunction &known,
                               std::vector<HeapState> &after) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  Terms &terms = out_->terms;
  for (uint32_t i = 0; i < operands.size() && i < 8; i++) {
    if (!facts_.values[operands[i]].mayPoint) continue;
    if (known.closed >> i & 1 && known.dereferenced >> i & 1)
      release(state, id, valueOf(state, operands[i]), /*closes=*/true);
    else
      state.forget(
          terms,
          terms.addressOf(state.constraints.simplified(terms, valueOf(state, operands[i]))).base,
          /*escapes=*/false);
  }
  if (known.opens == Opens::File) {
    const TermId made = terms.instance({.kind = Instance::Kind::File, .statement = id});
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
  if (view_.ends(id)) return;
  const Statement &s = facts_.statements[id];
  Terms &terms = out_->terms;
  state.pure.clear();
  for (const ValueId operand : facts_.operandsOf(s))
    if (facts_.values[operand].mayPoint)
      state.forget(
          terms, terms.addressOf(state.constraints.simplified(terms, valueOf(state, operand))).base,
          /*escapes=*/true);
  const FunctionId callee = facts_.calls[s.extra].callee;
  const bool setsOptarg = callee != kNone && facts_.functions[callee].parsesOptions;
  if (isOwn || setsOptarg) forgetGlobals(state, id);
  if (s.result != kNone) set(state, s.result, unknown(Origin::Result, id));
  after.push_back(std::move(state));
}

} // namespace fathom::statics::heap
