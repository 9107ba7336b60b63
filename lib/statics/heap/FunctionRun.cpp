// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of blocks, loops, and where heaps meet. Statements are in Transfer.cpp, and
// rounds of loops in FunctionRounds.cpp.
#include "statics/heap/FunctionRun.h"

#include <algorithm>

namespace fathom::statics::heap {

FunctionRun::FunctionRun(const View &view, const GlobalWrites &globalWrites, FunctionId function,
                         const RunLimits &limits, const EffectsOf &effectsOf)
    : FunctionRounds(view, globalWrites, function, limits, effectsOf) {}

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
