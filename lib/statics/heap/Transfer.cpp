// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What statements do to a symbolic heap. Calls are in CallTransfer.cpp, checks of accesses in
// Accesses.cpp.
#include "statics/heap/FunctionRun.h"

#include <algorithm>

namespace fathom::statics::heap {

/// False: the way ends here.
bool FunctionRun::arithmetic(HeapState &state, StatementId id) {
  const Statement &s = facts_.statements[id];
  if (s.result == kNone) return true;
  const auto operands = facts_.operandsOf(s);
  Terms &terms = out_->terms;
  if (s.operation == Operation::Other || operands.empty() || facts_.values[s.result].bits == 0) {
    for (const ValueId operand : operands)
      if (facts_.values[operand].mayPoint) state.escape(terms, valueOf(state, operand));
    set(state, s.result, unknown(Origin::Unknown, id));
    return true;
  }
  const TermId a = state.constraints.simplified(terms, valueOf(state, operands[0]));
  const TermId b = operands.size() > 1
                       ? state.constraints.simplified(terms, valueOf(state, operands[1]))
                       : Terms::kZero;
  const bool divides = s.operation >= Operation::UDiv && s.operation <= Operation::SRem;
  if (divides && !checkDivisor(state, {.at = id, .divisor = b})) return false;
  set(state, s.result,
      terms.operation(s.operation, a, b, facts_.values[s.result].bits,
                      facts_.values[operands[0]].bits));
  return true;
}

void FunctionRun::move(HeapState &state, StatementId id) {
  const Statement &s = facts_.statements[id];
  Terms &terms = out_->terms;
  const auto operands = facts_.operandsOf(s);
  const Move &move = facts_.moves[s.extra];
  TermId at = operandOf(state, operands[0], id);
  const bool areIndices = operands.size() == move.strides.size() + 1;
  for (size_t i = 0; i < move.strides.size(); i++) {
    TermId by = areIndices ? state.constraints.simplified(terms, valueOf(state, operands[i + 1]))
                           : unknown(Origin::Unknown, kNone);
    if (areIndices && facts_.values[operands[i + 1]].bits < 64)
      by = terms.operation(Operation::SExt, by, kNoTerm, 64, facts_.values[operands[i + 1]].bits);
    by = terms.operation(Operation::Mul, by, terms.number(static_cast<int64_t>(move.strides[i])),
                         64, 64);
    at = terms.operation(Operation::Add, at, by, 64, 64);
  }
  set(state, s.result, terms.sum(at, move.constant));
}

/// Is it stored again with some of its bits replaced, as an assignment to a bit-field does?
bool FunctionRun::isOnlyUpdated(ValueId loaded) const {
  const auto all = [&](ValueId value, auto &&isRight) {
    const auto users = view_.users(value);
    return !users.empty() && std::ranges::all_of(users, [&](StatementId user) {
      return isRight(facts_.statements[user]);
    });
  };
  const auto isStored = [](const Statement &s) { return s.kind == StatementKind::Store; };
  const auto isSet = [&](const Statement &s) {
    return isStored(s) || (s.kind == StatementKind::Arithmetic && s.operation == Operation::Or &&
                           all(s.result, isStored));
  };
  return all(loaded, [&](const Statement &s) {
    const bool isMask = s.kind == StatementKind::Arithmetic &&
                        (s.operation == Operation::And || s.operation == Operation::Or);
    return isMask && all(s.result, isSet);
  });
}

void FunctionRun::load(HeapState &state, StatementId id) {
  const Statement &s = facts_.statements[id];
  Terms &terms = out_->terms;
  const TermId pointer =
      state.constraints.simplified(terms, valueOf(state, facts_.operandsOf(s)[0]));
  if (s.bytes == 1) checkText(state, id, terms.addressOf(pointer));
  constexpr uint32_t kMaxBytes = 8;
  if (s.bytes > kMaxBytes) { // a structure: its pointers go where its value goes
    const Address at = terms.addressOf(pointer);
    std::vector<TermId> loaded;
    for (const Cell &cell : state.cellsOf(at.base)) loaded.push_back(cell.value);
    for (const TermId value : loaded) state.escape(terms, value);
  }
  TermId value = read(state, terms.addressOf(pointer), s.bytes, id);
  if (terms.isSymbol(value) && terms.symbolOf(value).origin == Origin::Unwritten) {
    Issue issue = issueAt(evidence::BugKind::UninitializedRead, id);
    const TermId base = terms.addressOf(pointer).base;
    setMadeBy(issue, terms.instanceOf(base));
    value = unknown(Origin::Read, id, s.bytes); // told once
    if (s.result != kNone && facts_.values[s.result].bits != 0) {
      state.write(terms, terms.addressOf(pointer), s.bytes, value);
      if (!isOnlyUpdated(s.result)) tell(state, std::move(issue));
    }
  }
  if (s.result == kNone) return;
  // A truth value takes a byte of memory.
  if (facts_.values[s.result].bits == 1)
    value = terms.operation(Operation::Trunc, value, kNoTerm, 1, 8);
  set(state, s.result, value);
}

void FunctionRun::store(HeapState &state, StatementId id) {
  const Statement &s = facts_.statements[id];
  Terms &terms = out_->terms;
  const auto operands = facts_.operandsOf(s);
  const TermId pointer = state.constraints.simplified(terms, valueOf(state, operands[0]));
  const TermId value = operandOf(state, operands[1], id);
  const Address at = terms.addressOf(pointer);
  state.write(terms, at, s.bytes, value);
  if (s.bytes == 1 && terms.numberOf(value) == 0) state.write(terms, at, 0, Terms::kZero);
  // An element of which nothing is known may be any of them.
  if (at.varying == kNoTerm) return;
  const Term &varying = terms[at.varying];
  const bool isStepped = varying.kind == TermKind::Operation &&
                         varying.operation == Operation::Mul && varying.bits == 64;
  const TermId round = isStepped ? varying.a : at.varying;
  if (terms.isSymbol(round) && terms.symbolOf(round).origin == Origin::Round)
    state.addForgotten(at.base);
}

/// False: the way ends here. Calls, branches and returns are not simple.
bool FunctionRun::executeSimple(HeapState &state, StatementId id) {
  const Statement &s = facts_.statements[id];
  const auto operands = facts_.operandsOf(s);
  switch (s.kind) {
  case StatementKind::Address: set(state, s.result, addressOfObject(s.extra)); return true;
  case StatementKind::Copy: {
    if (isPhi(s)) return true; // the edge did it
    const bool isOne = operands.size() == 1 && s.bytes != kPart;
    if (!isOne) // a pointer among them goes where the result goes
      for (const ValueId operand : operands) state.escape(out_->terms, valueOf(state, operand));
    set(state, s.result, isOne ? operandOf(state, operands[0], id) : unknown(Origin::Unknown, id));
    return true;
  }
  case StatementKind::Gep: move(state, id); return true;
  case StatementKind::Arithmetic: return arithmetic(state, id);
  case StatementKind::Compare:
    set(state, s.result,
        s.extra == static_cast<uint32_t>(Predicate::Other)
            ? unknown(Origin::Unknown, id)
            : out_->terms.compare(
                  static_cast<Predicate>(s.extra), s.bytes == 1,
                  state.constraints.simplified(out_->terms, valueOf(state, operands[0])),
                  state.constraints.simplified(out_->terms, valueOf(state, operands[1])),
                  std::max(facts_.values[operands[0]].bits, facts_.values[operands[1]].bits)));
    return true;
  case StatementKind::Load:
  case StatementKind::Store:
    if (!access(state, id, valueOf(state, operands[0]), s.bytes, s.kind == StatementKind::Store))
      return false;
    if (s.kind == StatementKind::Load)
      load(state, id);
    else
      store(state, id);
    return true;
  default: return true;
  }
}

/// Heaps that a selection leaves: one for each side that is possible.
void FunctionRun::select(HeapState state, StatementId id, std::vector<HeapState> &after) {
  const auto operands = facts_.operandsOf(facts_.statements[id]);
  const ValueId by = facts_.selectedBy.at(id);
  const TermId condition = state.constraints.simplified(out_->terms, valueOf(state, by));
  for (const bool holds : {true, false}) {
    HeapState side = state;
    const TermId truth = holds ? condition : out_->terms.negation(condition);
    if (!side.constraints.assume(out_->terms, truth, id)) continue;
    if (!out_->terms.numberOf(truth))
      side.trace =
          out_->trace.add(side.trace, {holds ? StepRole::TrueSide : StepRole::FalseSide, id});
    const ValueId chosen = holds ? operands.front() : operands.back();
    set(side, facts_.statements[id].result, operandOf(side, chosen, id));
    after.push_back(std::move(side));
  }
}

void FunctionRun::execute(std::vector<HeapState> states, BlockId block) {
  for (StatementId id = facts_.blocks[block].firstStatement; id < facts_.blocks[block].end();
       id++) {
    const Statement &s = facts_.statements[id];
    std::vector<HeapState> after;
    std::optional<HeapState> before;
    if (!states.empty() && s.kind == StatementKind::Call && isCutCall(id)) before = states.front();
    endsInDefect_ = false;
    for (HeapState &state : states) {
      if (++executed_ > limits_.statements) {
        out_->isCut = true;
        return;
      }
      checkUnwritten(state, id);
      switch (s.kind) {
      case StatementKind::Branch: branch(std::move(state), id); break;
      case StatementKind::Return: leave(std::move(state), id); break;
      case StatementKind::Call: call(std::move(state), id, after); break;
      default:
        if (facts_.selectedBy.contains(id))
          select(std::move(state), id, after);
        else if (executeSimple(state, id))
          after.push_back(std::move(state));
      }
    }
    // All heaps contradict the ways through the callee that are known: it takes one that is not.
    if (before && after.empty() && !endsInDefect_)
      unknownCall(std::move(*before), id, /*isOwn=*/true, after);
    if (after.size() > limits_.states) {
      const std::vector<uint32_t> live = shape_.liveWithin(block);
      const std::vector<HeapState> more(std::make_move_iterator(after.begin() + limits_.states),
                                        std::make_move_iterator(after.end()));
      after.resize(limits_.states);
      for (const HeapState &state : more) widenInto(after, state, live);
      out_->isCut = true;
    }
    states = std::move(after);
  }
}

void FunctionRun::branch(HeapState state, StatementId id) {
  const Statement &s = facts_.statements[id];
  const Block &block = facts_.blocks[s.block];
  Terms &terms = out_->terms;
  if (block.next.size() == 1) return goTo(std::move(state), s.block, block.next[0]);
  if (s.numOperands == 0) {
    for (const BlockId to : block.next) goTo(state, s.block, to);
    return;
  }
  const ValueId on = facts_.operandsOf(s)[0];
  const TermId value = state.constraints.simplified(terms, valueOf(state, on));
  const auto take = [&](HeapState side, TermId truth, BlockId to, bool holds) {
    if (!side.constraints.assume(terms, truth, id)) return;
    if (const Term t = terms[truth]; t.kind == TermKind::Compare &&
                                     t.predicate == Predicate::Equal && t.b == Terms::kZero &&
                                     !learnEqualText(side, t.a, id))
      return;
    // What is equal to something that was found elsewhere is there, too.
    if (const Term t = terms[truth];
        t.kind == TermKind::Compare && t.predicate == Predicate::Equal && t.bits == 64)
      for (const TermId operand : {t.a, t.b}) side.escape(terms, operand);
    if (!terms.numberOf(truth)) {
      side.trace =
          out_->trace.add(side.trace, {holds ? StepRole::TrueSide : StepRole::FalseSide, id});
      side.fails = side.fails || needsFailure(side);
    }
    goTo(std::move(side), s.block, to);
  };
  if (s.extra == kNone) {
    take(state, value, block.next[0], true);
    return take(std::move(state), terms.negation(value), block.next[1], false);
  }
  const Switch &chosen = facts_.switches[s.extra];
  const uint8_t bits = facts_.values[on].bits ? facts_.values[on].bits : uint8_t(64);
  HeapState rest = state;
  bool isLeft = true;
  for (const Switch::Case &one : chosen.cases) {
    const TermId is = terms.compare(Predicate::Equal, false, value, terms.number(one.number), bits);
    take(state, is, one.to, true);
    isLeft = isLeft && rest.constraints.assume(terms, terms.negation(is), id);
  }
  if (isLeft) goTo(std::move(rest), s.block, chosen.otherwise);
}

/// The function returns.
void FunctionRun::leave(HeapState state, StatementId at) {
  const Statement &s = facts_.statements[at];
  Terms &terms = out_->terms;
  Effect effect;
  if (s.numOperands != 0) {
    const ValueId returned = facts_.operandsOf(s)[0];
    effect.result = operandOf(state, returned, at);
  }
  checkLeaks(state, state.returnsBy == kNone ? at : state.returnsBy, effect.result);
  if (isOnlyChecked_) return;
  // What callers cannot reach is gone: variables of the function, and memory that it freed or lost.
  const auto isGone = [&](TermId base) {
    return !isInputBase(base) &&
           !(terms.isInstance(base) && std::ranges::find(state.made, base) != state.made.end());
  };
  // Memory that the function got by ways that callers cannot name still holds what was stored.
  for (const Cell &cell : state.cells)
    if (!cell.isInput && terms.isSymbol(cell.at.base) && !isInputBase(cell.at.base))
      state.escape(terms, cell.value);
  std::erase_if(state.cells,
                [&](const Cell &cell) { return cell.isInput || isGone(cell.at.base); });
  // Elements that callers cannot name.
  std::erase_if(state.cells, [&](const Cell &cell) {
    if (cell.at.varying == kNoTerm || isInput(cell.at.varying)) return false;
    state.escape(terms, cell.value);
    state.addForgotten(cell.at.base);
    return true;
  });
  for (std::vector<TermId> *bases :
       {&state.forgotten, &state.escaped, &state.copied, &state.partlyWritten, &state.zeroed})
    std::erase_if(*bases, [&](TermId base) { return out_->isPure || isGone(base); });
  // Accesses count the releases before them: those that are left.
  const auto isLeft = [&](const Released &r) { return !isGone(r.base); };
  for (Access &access : state.accesses)
    access.after = static_cast<uint32_t>(
        std::count_if(state.released.begin(), state.released.begin() + access.after, isLeft));
  std::erase_if(state.released, [&](const Released &r) { return isGone(r.base); });
  effect.cells = std::move(state.cells);
  effect.constraints = std::move(state.constraints);
  effect.released = std::move(state.released);
  effect.made = std::move(state.made);
  effect.forgotten = std::move(state.forgotten);
  effect.escaped = std::move(state.escaped);
  effect.copied = std::move(state.copied);
  effect.partlyWritten = std::move(state.partlyWritten);
  effect.zeroed = std::move(state.zeroed);
  effect.accesses = std::move(state.accesses);
  effect.checks = std::move(state.checks);
  effect.trace = state.trace;
  effect.areGlobalsForgotten = state.areGlobalsForgotten;
  effect.fails = state.fails;
  effect.isBlurred = state.isBlurred || state.isBlurredBelow;
  const size_t plain = static_cast<size_t>(
      std::ranges::count_if(out_->effects, [](const Effect &e) { return !e.issue; }));
  if (plain >= limits_.effects) {
    out_->isCut = true;
    return;
  }
  out_->effects.push_back(std::move(effect));
}

} // namespace fathom::statics::heap
