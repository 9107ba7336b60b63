// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of blocks, loops, and where heaps meet. Statements are in Transfer.cpp.
#include "statics/heap/FunctionRun.h"

#include <algorithm>
#include <set>

namespace fathom::statics::heap {

FunctionRun::FunctionRun(View &view, FunctionId function, const RunLimits &limits,
                         const EffectsOf &effectsOf)
    : FunctionChecks(view, function, limits, effectsOf) {
  findOrder();
  findLoops();
  findLive();
}

/// Reverse postorder; blocks that are not reached have none.
void FunctionRun::findOrder() {
  order_.assign(function_.numBlocks, kNone);
  std::vector<std::pair<BlockId, size_t>> stack{{function_.firstBlock, 0}};
  std::vector<bool> seen(function_.numBlocks);
  std::vector<BlockId> post;
  seen[0] = true;
  while (!stack.empty()) {
    auto &[block, at] = stack.back();
    const std::vector<BlockId> &next = facts_.blocks[block].next;
    if (at < next.size()) {
      const BlockId to = next[at++];
      if (!seen[index(to)]) {
        seen[index(to)] = true;
        stack.emplace_back(to, 0);
      }
      continue;
    }
    post.push_back(block);
    stack.pop_back();
  }
  byOrder_.assign(post.rbegin(), post.rend());
  for (uint32_t i = 0; i < byOrder_.size(); i++) order_[index(byOrder_[i])] = i;
}

/// The natural loop of each edge that goes back.
void FunctionRun::findLoops() {
  std::vector<std::vector<BlockId>> previous(function_.numBlocks);
  for (const BlockId block : byOrder_)
    for (const BlockId to : facts_.blocks[block].next) previous[index(to)].push_back(block);
  for (const BlockId from : byOrder_)
    for (const BlockId header : facts_.blocks[from].next) {
      if (order_[index(header)] > order_[index(from)]) continue;
      std::vector<bool> &loop = loops_[header];
      loop.resize(function_.numBlocks);
      loop[index(header)] = true;
      std::vector<BlockId> open{from};
      while (!open.empty()) {
        const BlockId at = open.back();
        open.pop_back();
        if (loop[index(at)]) continue;
        loop[index(at)] = true;
        for (const BlockId before : previous[index(at)])
          // An edge into the middle of a loop: what is before it is no part of it.
          if (order_[index(before)] >= order_[index(header)]) open.push_back(before);
      }
    }
}

/// Values that are read at or after a block's start, behind its phis.
void FunctionRun::findLive() {
  const uint32_t first = function_.firstValue;
  live_.assign(function_.numBlocks, std::vector<bool>(function_.numValues));
  // Constants that a function is the first to use are numbered among its values.
  const auto isOwn = [&](ValueId v) { return facts_.values[v].function == id_; };
  for (bool changes = true; changes;) {
    changes = false;
    for (size_t i = byOrder_.size(); i-- > 0;) {
      const BlockId block = byOrder_[i];
      std::vector<bool> live(function_.numValues);
      for (const BlockId to : facts_.blocks[block].next) {
        std::vector<bool> there = live_[index(to)];
        const Block &next = facts_.blocks[to];
        for (StatementId s = next.firstStatement; s < next.end(); s++) {
          const Statement &phi = facts_.statements[s];
          if (!isPhi(phi)) break;
          there[phi.result - first] = false;
          const auto operands = facts_.operandsOf(phi);
          for (uint32_t o = 0; o < operands.size(); o++)
            if (facts_.incoming[phi.extra + o] == block && isOwn(operands[o]))
              live[operands[o] - first] = true;
        }
        for (uint32_t v = 0; v < there.size(); v++)
          if (there[v]) live[v] = true;
      }
      const Block &here = facts_.blocks[block];
      for (StatementId s = here.end(); s-- > here.firstStatement;) {
        const Statement &statement = facts_.statements[s];
        if (isPhi(statement)) continue;
        if (statement.result != kNone && isOwn(statement.result))
          live[statement.result - first] = false;
        for (const ValueId operand : facts_.operandsOf(statement))
          if (isOwn(operand)) live[operand - first] = true;
        if (statement.kind == StatementKind::Copy)
          if (const auto by = facts_.selectedBy.find(s);
              by != facts_.selectedBy.end() && isOwn(by->second))
            live[by->second - first] = true;
        if (statement.kind == StatementKind::Call)
          if (const ValueId target = facts_.calls[statement.extra].target;
              target != kNone && isOwn(target))
            live[target - first] = true;
      }
      if (live != live_[index(block)]) {
        live_[index(block)] = std::move(live);
        changes = true;
      }
    }
  }
}

std::vector<bool> FunctionRun::liveWithin(BlockId block) const {
  std::vector<bool> out = live_[index(block)];
  for (StatementId s = facts_.blocks[block].firstStatement; s < facts_.blocks[block].end(); s++)
    if (const ValueId result = facts_.statements[s].result; result != kNone)
      out[result - function_.firstValue] = true;
  return out;
}

void FunctionRun::run(FunctionEffects &out, const FoundIssue &found) {
  out_ = &out;
  found_ = &found;
  HeapState begin;
  begin.values.assign(function_.numValues, kNoTerm);
  for (uint32_t i = 0; i < function_.parameters.size(); i++)
    set(begin, function_.parameters[i],
        out.terms.symbol({.origin = Origin::Parameter, .index = i}));
  open_[0].push_back(std::move(begin));
  while (!open_.empty()) {
    auto first = open_.begin();
    const BlockId block = byOrder_[first->first];
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
        const bool isNull = operands[i] == kNullValue;
        // Without a value, it has none since the branch that leads here.
        const StatementId last = facts_.blocks[from].last();
        assigned.emplace_back(phi.result, isNull ? out_->terms.null(last)
                                          : operands[i] == kUndefinedValue
                                              ? unknown(Origin::Unwritten, last)
                                              : valueOf(state, operands[i]));
        break;
      }
  }
  for (const auto &[value, term] : assigned) set(state, value, term);
  std::erase_if(state.rounds,
                [&](const Round &round) { return !loops_.at(round.header)[index(to)]; });
  if (loops_.contains(to)) {
    if (order_[index(from)] < order_[index(to)]) {
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

const std::vector<std::pair<Address, uint32_t>> &FunctionRun::globalsWrittenIn(BlockId header) {
  auto [known, isNew] = globalsWritten_.try_emplace(header);
  if (!isNew) return known->second;
  std::set<std::pair<Address, uint32_t>> found;
  const std::vector<bool> &loop = loops_.at(header);
  for (uint32_t b = 0; b < function_.numBlocks; b++) {
    const Block &block = facts_.blocks[function_.firstBlock + b];
    for (StatementId id = block.firstStatement; loop[b] && id < block.end(); id++) {
      const Statement &s = facts_.statements[id];
      if (s.kind == StatementKind::Store) {
        const ValueId to = facts_.operandsOf(s)[0];
        if (facts_.values[to].address == kNone) continue;
        found.emplace(out_->terms.addressOf(constantOf(to)), s.bytes);
      }
      if (s.kind != StatementKind::Call || facts_.calls[s.extra].summary) continue;
      for (const FunctionId callee : view_.pts.callees(s.extra)) {
        const FunctionEffects *effects = view_.isOwn(callee) ? effectsOf_(callee) : nullptr;
        if (!effects) continue;
        for (const Effect &effect : effects->effects)
          for (const Cell &cell : effect.cells) {
            const Terms &theirs = effects->terms;
            if (cell.at.varying != kNoTerm || !theirs.isInstance(cell.at.base)) continue;
            const Instance &object = theirs.instanceOf(cell.at.base);
            if (object.kind != Instance::Kind::Variable ||
                facts_.objects[object.object].kind != ObjectKind::Global)
              continue;
            found.insert({{addressOfObject(object.object), kNoTerm, cell.at.offset}, cell.bytes});
          }
      }
    }
  }
  known->second.assign(found.begin(), found.end());
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
    // A pointer that moves in its object stays in it.
    if (before != kNoTerm && terms.addressOf(before).base == terms.addressOf(value).base &&
        facts_.values[phi.result].isPointer) {
      value = terms.ofAddress({terms.addressOf(value).base, unknown(Origin::Round, s), 0});
      continue;
    }
    state.escape(terms, value);
    value = unknown(Origin::Round, s);
  }
  for (Cell &cell : state.cells) {
    if (cell.isInput) continue;
    const auto before = std::ranges::find_if(*round.cells, [&](const Cell &old) {
      return old.at == cell.at && old.bytes == cell.bytes;
    });
    if (before != round.cells->end() && before->value == cell.value) continue;
    state.escape(terms, cell.value);
    cell.value = unknown(Origin::Round, block.firstStatement, cell.bytes);
  }
  for (const auto &[at, bytes] : globalsWrittenIn(round.header)) {
    if (const Cell *cell = state.find(at, bytes)) state.escape(terms, cell->value);
    state.write(terms, at, bytes, unknown(Origin::Round, block.firstStatement, bytes));
  }
}

void FunctionRun::arrive(HeapState state, BlockId block) {
  std::vector<HeapState> &there = open_[order_[index(block)]];
  for (HeapState &other : there)
    if (other.holdsSame(state, live_[index(block)])) return other.join(out_->terms, state);
  const Block &at = facts_.blocks[block];
  const bool returns = facts_.statements[at.last()].kind == StatementKind::Return;
  if (there.size() < (returns ? limits_.effects : limits_.states)) {
    there.push_back(std::move(state));
    return;
  }
  out_->isCut = true;
  widenInto(there, state, live_[index(block)]);
}

/// There are too many heaps: one of them takes in the other.
void FunctionRun::widenInto(std::vector<HeapState> &states, const HeapState &more,
                            const std::vector<bool> &live) {
  // In the same rounds of the same loops.
  for (size_t i = states.size(); i-- > 0;)
    if (hasSameRounds(states[i].rounds, more.rounds))
      return states[i].widen(out_->terms, more, live);
}

} // namespace fathom::statics::heap
