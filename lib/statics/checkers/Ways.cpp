// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Ways.h"

#include "statics/checkers/WaySearch.h"

#include <algorithm>

namespace fathom::statics {

bool neverReturns(const PointsTo &pts, const std::vector<bool> &returns, StatementId call) {
  const Statement &s = pts.facts.statements[call];
  if (s.kind != StatementKind::Call) return false;
  const CallSite &site = pts.facts.calls[s.extra];
  if (site.summary) return site.summary->endsPath;
  const std::vector<FunctionId> &callees = pts.callees(s.extra);
  return !callees.empty() && std::none_of(callees.begin(), callees.end(), [&](FunctionId f) {
    const Function &callee = pts.facts.functions[f];
    return callee.summary ? !callee.summary->endsPath : !callee.hasBody || returns[f];
  });
}

static bool hasWayToReturn(const PointsTo &pts, const std::vector<bool> &returns, FunctionId id) {
  const Facts &facts = pts.facts;
  const Function &f = facts.functions[id];
  std::vector<bool> seen(f.numBlocks);
  std::vector<BlockId> open{f.firstBlock};
  seen[0] = true;
  while (!open.empty()) {
    const Block &block = facts.blocks[open.back()];
    open.pop_back();
    bool ended = false;
    for (StatementId s = block.firstStatement; s < block.end(); s++) {
      if (facts.statements[s].kind == StatementKind::Return) return true;
      if (neverReturns(pts, returns, s)) {
        ended = true;
        break;
      }
    }
    if (ended) continue;
    for (const BlockId next : block.next)
      if (!seen[next - f.firstBlock]) {
        seen[next - f.firstBlock] = true;
        open.push_back(next);
      }
  }
  return false;
}

/// The least set: a function that only calls itself does not return.
std::vector<bool> findReturning(const PointsTo &pts) {
  const Facts &facts = pts.facts;
  std::vector<bool> returns(facts.functions.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (FunctionId f = 0; f < facts.functions.size(); f++) {
      if (returns[f] || !pts.isReached(f) || facts.functions[f].numBlocks == 0) continue;
      if (hasWayToReturn(pts, returns, f)) returns[f] = changed = true;
    }
  }
  return returns;
}

bool Ways::ends(StatementId call) const { return neverReturns(flow_.pts, returns_, call); }

void Ways::countBranches() {
  if (isCounted_) return;
  isCounted_ = true;
  const auto count = [&](ValueId condition) {
    for (const ValueId value : decidingValues(numbers, facts_, condition)) branchesOn_[value]++;
  };
  const Function &f = facts_.functions[function_];
  for (BlockId b = f.firstBlock; b < f.firstBlock + f.numBlocks; b++) {
    const Statement *branch = branchOf(b);
    if (!branch) continue;
    count(facts_.operandsOf(*branch)[0]);
    if (const Deciding by = decidingPhi(b); by.phi != kNone && by.isCondition)
      for (const ValueId operand : facts_.operandsOf(facts_.statements[by.phi])) count(operand);
  }
}

bool Ways::tells(const Known &known, ValueId condition) {
  countBranches();
  for (const ValueId value : decidingValues(numbers, facts_, condition))
    if (branchesOn_[value] > 1 || known.mentions(value)) return true;
  return facts_.values[numbers.leader(condition)].function == kNone;
}

const Statement *Ways::branchOf(BlockId block) const {
  const Block &b = facts_.blocks[block];
  if (b.last() == kNone || b.next.size() < 2) return nullptr;
  const Statement &s = facts_.statements[b.last()];
  return s.kind == StatementKind::Branch && s.numOperands != 0 ? &s : nullptr;
}

Ways::Deciding Ways::decidingPhi(BlockId block) {
  auto [found, isNew] = decidingPhi_.try_emplace(block);
  if (!isNew) return found->second;
  const Statement *branch = branchOf(block);
  if (!branch || branch->extra != kNone || facts_.blocks[block].next.size() != 2) return {};
  const auto definitionOf = [&](ValueId value) -> StatementId {
    const Value &v = facts_.values[value];
    return v.function == function_ ? v.definition : kNone;
  };
  const auto phiOf = [&](ValueId value) {
    const StatementId at = definitionOf(value);
    return at != kNone && isPhi(facts_.statements[at]) && facts_.statements[at].block == block
               ? at
               : kNone;
  };
  const ValueId condition = numbers.leader(facts_.operandsOf(*branch)[0]);
  Deciding out{phiOf(condition), /*isCondition=*/true};
  const StatementId compare = definitionOf(condition);
  if (out.phi == kNone && compare != kNone &&
      facts_.statements[compare].kind == StatementKind::Compare) {
    const auto sides = facts_.operandsOf(facts_.statements[compare]);
    const ValueId left = numbers.leader(sides[0]), right = numbers.leader(sides[1]);
    if (numberOf(facts_, right))
      out = {phiOf(left), false};
    else if (numberOf(facts_, left))
      out = {phiOf(right), false};
  }
  return decidingPhi_[block] = out;
}

bool Ways::mayDecide(BlockId block, ValueId phi, int64_t number, bool holds) {
  Known alone;
  return alone.assumeNumber(phi, number, true) &&
         alone.assume(numbers, facts_, facts_.operandsOf(*branchOf(block))[0], holds);
}

const std::vector<StatementId> &Ways::flagsOf(BlockId block) {
  countBranches();
  auto [known, isNew] = flags_.try_emplace(block);
  if (!isNew) return known->second;
  const Block &b = facts_.blocks[block];
  const uint32_t here = block - facts_.functions[function_].firstBlock;
  for (const uint32_t before : dominators_.previous[here])
    if (dominators_.dominates(here, before)) return known->second;
  for (StatementId at = b.firstStatement; at < b.end(); at++) {
    const Statement &s = facts_.statements[at];
    if (!isPhi(s)) continue;
    const ValueId leader = numbers.leader(s.result);
    const bool isNumber = std::ranges::any_of(facts_.operandsOf(s), [&](ValueId operand) {
      return numberOf(facts_, numbers.leader(operand)).has_value();
    });
    const auto branches = branchesOn_.find(leader);
    if (isNumber && branches != branchesOn_.end() && branches->second > 0)
      known->second.push_back(at);
  }
  return known->second;
}

bool Ways::assumeIncoming(Known &known, StatementId at, BlockId from, bool isCondition, bool all) {
  const Statement &phi = facts_.statements[at];
  const auto operands = facts_.operandsOf(phi);
  ValueId operand = kNone;
  for (uint32_t i = 0; i < operands.size(); i++) {
    if (facts_.incoming[phi.extra + i] != from) continue;
    if (operand != kNone && operand != operands[i]) return true; // several edges from one block
    operand = operands[i];
  }
  if (operand == kNone) return true;
  operand = numbers.leader(operand);
  if (const auto number = numberOf(facts_, operand))
    return known.assumeNumber(numbers.leader(phi.result), *number, true);
  if (isCondition && (all || tells(known, operand)))
    known.assumeIs(numbers.leader(phi.result), operand);
  return true;
}

bool Ways::arrive(Known &known, BlockId from, BlockId to, bool all) {
  known.enter(numbers, to);
  const Deciding by = decidingPhi(to);
  if (by.phi != kNone && !assumeIncoming(known, by.phi, from, by.isCondition, all)) return false;
  return std::ranges::all_of(flagsOf(to), [&](StatementId phi) {
    return phi == by.phi || assumeIncoming(known, phi, from, /*isCondition=*/false, /*all=*/false);
  });
}

bool Ways::cameOneWay(Known &known, BlockId from, BlockId to) {
  const Deciding by = decidingPhi(from);
  if (by.phi == kNone) return true;
  const bool holds = facts_.blocks[from].next[0] == to;
  const Statement &phi = facts_.statements[by.phi];
  const auto operands = facts_.operandsOf(phi);
  uint32_t only = kNone;
  for (uint32_t i = 0; i < operands.size(); i++) {
    const auto number = numberOf(facts_, numbers.leader(operands[i]));
    if (number && !mayDecide(from, numbers.leader(phi.result), *number, holds)) continue;
    if (only != kNone) return true;
    only = i;
  }
  if (only == kNone) return false;
  const BlockId before = facts_.incoming[phi.extra + only];
  if (asked_.contains(before)) return true; // a loop: it asks for itself
  std::optional<Known> behind = knownBehind(before, from);
  if (!behind) return false;
  known = std::move(*behind);
  return true;
}

bool Ways::takeEdge(Known &known, BlockId from, BlockId to, bool all) {
  const Block &block = facts_.blocks[from];
  const Statement *branch = branchOf(from);
  if (!branch) return true;
  const ValueId condition = facts_.operandsOf(*branch)[0];
  if (!all && !tells(known, condition)) return true;
  if (branch->extra == kNone) {
    if (block.next.size() != 2) return true;
    if (!known.assume(numbers, facts_, condition, block.next[0] == to)) return false;
    if (all) return true;
    // It has decided what it is for: ways that differ in it alone are one.
    countBranches();
    if (const StatementId phi = decidingPhi(from).phi; phi != kNone) {
      const ValueId decides = numbers.leader(facts_.statements[phi].result);
      if (branchesOn_[decides] <= 1) known.forget(decides);
    }
    return true;
  }
  const Switch &way = facts_.switches[branch->extra];
  const ValueId leader = numbers.leader(condition);
  size_t matching = 0;
  int64_t number = 0;
  for (const Switch::Case &one : way.cases)
    if (one.to == to) {
      matching++;
      number = one.number;
    }
  if (way.otherwise != to) return matching != 1 || known.assumeNumber(leader, number, true);
  for (const Switch::Case &one : way.cases)
    if (one.to != to && !known.assumeNumber(leader, one.number, false)) return false;
  return true;
}

std::optional<Known> Ways::knownAt(BlockId block) {
  if (auto known = knownAt_.find(block); known != knownAt_.end()) return known->second;
  asked_.insert(block);
  const BlockId first = facts_.functions[function_].firstBlock;
  std::vector<uint32_t> chain;
  for (uint32_t b = block - first; b != kNone; b = dominators_.idom[b]) chain.push_back(b);
  std::optional<Known> known{Known()};
  for (size_t i = chain.size() - 1; known && i > 0; i--) {
    // Only if the branch's edge leads straight to what is dominated.
    const uint32_t from = chain[i], to = chain[i - 1];
    const std::vector<uint32_t> &previous = dominators_.previous[to];
    if (previous.size() == 1 && previous[0] == from &&
        (!cameOneWay(*known, first + from, first + to) ||
         !takeEdge(*known, first + from, first + to, /*all=*/true)))
      known.reset();
  }
  asked_.erase(block);
  knownAt_[block] = known;
  return known;
}

std::optional<Known> Ways::knownOn(BlockId from, BlockId to) {
  std::optional<Known> known = knownAt(from);
  if (!known || !takeEdge(*known, from, to, /*all=*/true)) return std::nullopt;
  return known;
}

std::optional<Known> Ways::knownBehind(BlockId from, BlockId to) {
  std::optional<Known> known = knownOn(from, to);
  if (!known || !arrive(*known, from, to, /*all=*/true)) return std::nullopt;
  return known;
}

bool Ways::exists(StatementId begin, const WayEnd &end, const WayBars &bars) {
  const BlockId block =
      begin == kNone ? facts_.functions[function_].firstBlock : facts_.statements[begin].block;
  const std::optional<Known> known = knownAt(block);
  return known && exists(begin, *known, end, bars);
}

bool Ways::exists(StatementId begin, const Known &known, const WayEnd &end, const WayBars &bars) {
  const Reach found = WaySearch(*this, begin, known, bars, &end).run();
  wasGuess_ = found.isGuess();
  return found.has(end);
}

Reach Ways::reach(StatementId begin, const Known &known, const WayBars &bars) {
  return WaySearch(*this, begin, known, bars, nullptr).run();
}

bool Reach::has(const WayEnd &end) const {
  if (end.anyReturn) return returns_;
  if (end.statement == kNone)
    return std::binary_search(edges_.begin(), edges_.end(), std::pair(end.from, end.to));
  const BlockId block = facts_->statements[end.statement].block;
  if (block < first_ || block - first_ >= end_.size()) return false;
  return end.statement < end_[block - first_] ||
         (block == beginBlock_ && end.statement >= begin_ && end.statement < beginEnd_);
}

} // namespace fathom::statics
