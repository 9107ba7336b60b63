// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of blocks, loops, and where heaps meet. Statements are in Transfer.cpp.
#include "statics/heap/FunctionRun.h"

#include <algorithm>

namespace fathom::statics::heap {

FunctionRun::FunctionRun(const View &view, const GlobalWrites &globalWrites, FunctionId function,
                         const RunLimits &limits, const EffectsOf &effectsOf)
    : FunctionBuffers(view, globalWrites, function, limits, effectsOf),
      shape_(view.facts, function) {}

void FunctionRun::run(FunctionEffects &out, const FoundIssue &found) {
  out_ = &out;
  found_ = &found;
  out.isPure = onlyLooks();
  HeapState begin;
  begin.values.assign(function_.numValues, kNoTerm);
  for (uint32_t i = 0; i < function_.parameters.size(); i++)
    set(begin, function_.parameters[i],
        out.terms.symbol({.origin = Origin::Parameter, .index = i}));
  open_[0].push_back(std::move(begin));
  while (!open_.empty()) {
    auto first = open_.begin();
    const BlockId block = shape_.byOrder()[first->first];
    std::vector<HeapState> states = std::move(first->second);
    open_.erase(first);
    execute(std::move(states), block);
  }
  out.isKnown = true;
}

void FunctionRun::goTo(HeapState state, BlockId from, BlockId to) {
  // Phis are assigned at the same time.
  std::vector<std::pair<ValueId, TermId>> assigned;
  const Block &block = facts_.blocks[to];
  for (StatementId s = block.firstStatement; s < block.end(); s++) {
    const Statement &phi = facts_.statements[s];
    if (!isPhi(phi)) break;
    const auto operands = facts_.operandsOf(phi);
    for (uint32_t i = 0; i < operands.size(); i++)
      if (facts_.incoming[phi.extra + i] == from) {
        // Without a value, it has none since the branch that leads here.
        const StatementId last = facts_.blocks[from].last();
        assigned.emplace_back(phi.result, operands[i] == kUndefinedValue
                                              ? unknown(Origin::Unwritten, last)
                                              : operandOf(state, operands[i], last));
        break;
      }
  }
  for (const auto &[value, term] : assigned) set(state, value, term);
  std::erase_if(state.rounds, [&](const Round &round) { return !shape_.isIn(round.header, to); });
  if (shape_.isHeader(to)) {
    if (shape_.order(from) < shape_.order(to)) {
      std::erase_if(state.rounds, [&](const Round &round) { return round.header == to; });
      Round round{.header = to,
                  .trace = state.trace,
                  .cells = std::make_shared<std::vector<Cell>>(state.cells)};
      for (const auto &[value, term] : assigned) round.phis.push_back(term);
      state.rounds.push_back(std::move(round));
    } else if (!enterRound(state, to)) {
      return;
    }
  }
  state.returnsBy = shape_.isBehindReturns(to) && facts_.blocks[from].next.size() == 1 &&
                            facts_.statements[facts_.blocks[from].last()].place != 0
                        ? facts_.blocks[from].last()
                        : kNone;
  arrive(std::move(state), to);
}

/// One more round of a loop; false: that is one too many.
bool FunctionRun::enterRound(HeapState &state, BlockId header) {
  const auto round = std::ranges::find(state.rounds, header, &Round::header);
  if (round == state.rounds.end() || round->count > limits_.rounds) return false;
  // With one way through it, a round costs no more than other code.
  if (round->trace == state.trace && round->free < limits_.freeRounds && round->count == 0) {
    round->free++;
    return true;
  }
  round->trace = state.trace;
  if (++round->count > limits_.rounds) return false;
  if (round->count == limits_.rounds) forgetLoop(state, *round);
  return true;
}

const FunctionRun::LoopWrites &FunctionRun::globalsWrittenIn(BlockId header) {
  auto [known, isNew] = globalsWritten_.try_emplace(header);
  LoopWrites &out = known->second;
  if (!isNew) return out;
  const auto globalOf = [&](const Terms &theirs, TermId base) {
    if (!theirs.isInstance(base)) return kNoTerm;
    const Instance &object = theirs.instanceOf(base);
    const bool isGlobal = object.kind == Instance::Kind::Variable &&
                          facts_.objects[object.object].kind == ObjectKind::Global;
    return isGlobal ? addressOfObject(object.object) : kNoTerm;
  };
  for (uint32_t b = 0; b < function_.numBlocks; b++) {
    const Block &block = facts_.blocks[function_.firstBlock + b];
    for (StatementId id = block.firstStatement;
         shape_.isIn(header, function_.firstBlock + b) && id < block.end(); id++) {
      const Statement &s = facts_.statements[id];
      if (s.kind == StatementKind::Store) {
        const ValueId to = facts_.operandsOf(s)[0];
        if (facts_.values[to].address == kNone) continue;
        out.cells.emplace(out_->terms.addressOf(constantOf(to)), s.bytes);
      }
      if (s.kind != StatementKind::Call || facts_.calls[s.extra].summary) continue;
      for (const FunctionId callee : view_.pts.callees(s.extra)) {
        if (!view_.isOwn(callee)) continue;
        const FunctionEffects *effects = effectsOf_(callee);
        out.isAny = out.isAny || !effects;
        if (!effects) continue;
        for (const Effect &effect : effects->effects) {
          out.isAny = out.isAny || effect.areGlobalsForgotten;
          for (const Cell &cell : effect.cells)
            if (const TermId global = globalOf(effects->terms, cell.at.base);
                global != kNoTerm && cell.at.varying == kNoTerm)
              out.cells.insert({{global, kNoTerm, cell.at.offset}, cell.bytes});
          for (const TermId base : effect.forgotten)
            if (const TermId global = globalOf(effects->terms, base); global != kNoTerm)
              out.forgotten.insert(global);
        }
      }
    }
  }
  return out;
}

const std::optional<LoopSteps> &FunctionRun::stepsOf(StatementId phi) {
  const auto [known, isNew] = steps_.try_emplace(phi);
  if (isNew) known->second = loopStepsOf(facts_, shape_, phi);
  return known->second;
}

/// From here on, nothing is known of what the loop changes: its rounds are not told apart.
void FunctionRun::forgetLoop(HeapState &state, const Round &round) {
  const Block &block = facts_.blocks[round.header];
  Terms &terms = out_->terms;
  size_t i = 0;
  for (StatementId s = block.firstStatement; s < block.end(); s++) {
    const Statement &phi = facts_.statements[s];
    if (!isPhi(phi)) break;
    TermId &value = state.values[phi.result - function_.firstValue];
    const bool isSame = i < round.phis.size() && round.phis[i] == value;
    i++;
    if (isSame || value == kNoTerm) continue;
    const TermId before = i <= round.phis.size() ? round.phis[i - 1] : kNoTerm;
    const std::optional<LoopSteps> &steps = stepsOf(s);
    const Value &variable = facts_.values[phi.result];
    if (before != kNoTerm && variable.isPointer && staysInObject(state, before, value, s, steps))
      continue;
    state.escape(terms, value);
    value = before == kNoTerm || variable.isPointer
                ? unknown(Origin::Round, s)
                : afterSteps(state, before, s, variable.bits, steps);
  }
  const auto beforeOf = [&](const Cell &cell) -> const Cell * {
    const auto before = std::ranges::find_if(*round.cells, [&](const Cell &old) {
      return old.at == cell.at && old.bytes == cell.bytes;
    });
    return before == round.cells->end() ? nullptr : &*before;
  };
  // Pointers first: whether they leave a text depends on bytes that are forgotten then.
  std::vector<bool> isKept(state.cells.size());
  for (size_t c = 0; c < state.cells.size(); c++) {
    Cell &cell = state.cells[c];
    const Cell *before = cell.isInput ? nullptr : beforeOf(cell);
    isKept[c] = cell.isInput || (before && before->value == cell.value) ||
                (before && cell.bytes == 8 && before->value != kNoTerm &&
                 terms.isInstance(terms.addressOf(before->value).base) &&
                 staysInObject(state, before->value, cell.value, block.firstStatement, {}));
  }
  for (size_t c = 0; c < state.cells.size(); c++) {
    if (isKept[c]) continue;
    state.escape(terms, state.cells[c].value);
    state.cells[c].value = unknown(Origin::Round, block.firstStatement, state.cells[c].bytes);
    state.addPartlyWritten(state.cells[c].at.base); // more rounds may write other elements
  }
  const LoopWrites &writes = globalsWrittenIn(round.header);
  if (writes.isAny) forgetGlobals(state, kNone);
  for (const TermId base : writes.forgotten) state.forget(terms, base, /*escapes=*/true);
  for (const auto &[at, bytes] : writes.cells) {
    if (const Cell *cell = state.find(at, bytes)) state.escape(terms, cell->value);
    state.write(terms, at, bytes, unknown(Origin::Round, block.firstStatement, bytes));
  }
}

void FunctionRun::arrive(HeapState state, BlockId block) {
  std::vector<HeapState> &there = open_[shape_.order(block)];
  const Block &at = facts_.blocks[block];
  const bool returns = facts_.statements[at.last()].kind == StatementKind::Return;
  // Heaps that differ in it are not one: what only one of them can lose would be lost in both.
  if (returns) state.dropSettled(out_->terms);
  for (HeapState &other : there)
    if (other.holdsSame(state, shape_.live(block))) return other.join(out_->terms, state);
  if (there.size() < (returns ? limits_.effects : limits_.states)) {
    there.push_back(std::move(state));
    return;
  }
  out_->isCut = true;
  if (widenInto(there, state, shape_.live(block)) || !returns) return;
  // What goes wrong on the way out is looked for before the heap is one with others.
  isOnlyChecked_ = true;
  execute({std::move(state)}, block);
  isOnlyChecked_ = false;
}

/// There are too many heaps: of two that are alike, in the same rounds of the same loops, one takes
/// in the other. Where all differ in what reports are about, the last one takes in the new one, so
/// that the others stay as they are. False: that was so.
bool FunctionRun::widenInto(std::vector<HeapState> &states, const HeapState &more,
                            std::span<const uint32_t> live) {
  const auto distance = [&](const HeapState &a, const HeapState &b, uint32_t below = UINT32_MAX) {
    return hasSameRounds(a.rounds, b.rounds) ? a.distance(out_->terms, b, live, below)
                                             : std::nullopt;
  };
  HeapState *nearest = nullptr, *last = nullptr;
  uint32_t least = UINT32_MAX;
  for (HeapState &state : states) {
    if (hasSameRounds(state.rounds, more.rounds)) last = &state;
    const std::optional<uint32_t> far = distance(state, more, least);
    if (!far) continue;
    least = *far;
    nearest = &state;
  }
  if (nearest) {
    nearest->widen(out_->terms, more, live);
    return true;
  }
  for (size_t i = 0; i < states.size(); i++)
    for (size_t k = i + 1; k < states.size(); k++)
      if (distance(states[i], states[k])) {
        states[i].widen(out_->terms, states[k], live);
        states[k] = more;
        return true;
      }
  if (last) {
    last->widen(out_->terms, more, live);
    last->isBlurred = true;
    last->blurredAt = out_->trace.next();
  }
  return false;
}

} // namespace fathom::statics::heap
