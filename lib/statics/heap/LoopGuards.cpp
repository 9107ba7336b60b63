// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/LoopGuards.h"

#include "statics/front/Predicates.h"

#include <algorithm>
#include <set>

namespace fathom::statics::heap {

std::optional<int64_t> addedTo(const Facts &facts, ValueId value,
                               const std::function<bool(ValueId)> &isIt) {
  constexpr unsigned kMaxSteps = 8;
  constexpr int64_t kFar = int64_t(1) << 30;
  int64_t added = 0;
  for (unsigned i = 0; i < kMaxSteps && std::abs(added) <= kFar; i++) {
    if (isIt(value)) return added;
    const StatementId at = facts.values[value].definition;
    if (at == kNone) return std::nullopt;
    const Statement &s = facts.statements[at];
    const auto operands = facts.operandsOf(s);
    if (s.kind == StatementKind::Gep) {
      const Move &move = facts.moves[s.extra];
      if (!move.strides.empty() || std::abs(move.constant) > kFar) return std::nullopt;
      added += move.constant;
    } else if (s.kind == StatementKind::Arithmetic &&
               (s.operation == Operation::Add || s.operation == Operation::Sub)) {
      const auto by = facts.numbers.find(operands[1]);
      if (by == facts.numbers.end() || std::abs(by->second) > kFar) return std::nullopt;
      added += s.operation == Operation::Add ? by->second : -by->second;
    } else if (s.kind != StatementKind::Arithmetic ||
               (s.operation != Operation::SExt && s.operation != Operation::ZExt)) {
      return std::nullopt;
    }
    value = operands[0];
  }
  return std::nullopt;
}

namespace {

std::optional<bool> truthOf(const Facts &facts, ValueId value) {
  if (value == kZeroValue) return false;
  const auto number = facts.numbers.find(value);
  return number == facts.numbers.end() ? std::nullopt : std::optional((number->second & 1) != 0);
}

/// The only block to which the branch leads if control comes to it from `from`; kNone: several.
BlockId onlyNext(const Facts &facts, BlockId from, BlockId block) {
  const Block &b = facts.blocks[block];
  const Statement &last = facts.statements[b.last()];
  if (last.kind != StatementKind::Branch || last.numOperands != 1 || last.extra != kNone ||
      b.next.size() != 2)
    return kNone;
  const StatementId at = facts.values[facts.operandsOf(last)[0]].definition;
  if (at == kNone || facts.statements[at].block != block || !isPhi(facts.statements[at]))
    return kNone;
  const Statement &phi = facts.statements[at];
  const auto operands = facts.operandsOf(phi);
  for (uint32_t i = 0; i < operands.size(); i++)
    if (facts.incoming[phi.extra + i] == from)
      if (const auto truth = truthOf(facts, operands[i])) return b.next[*truth ? 0 : 1];
  return kNone;
}

} // namespace

bool isOnEveryRound(const Facts &facts, const FunctionShape &shape, BlockId header, BlockId from,
                    BlockId to) {
  std::set<std::pair<BlockId, BlockId>> seen; // edges
  std::vector<std::pair<BlockId, BlockId>> open;
  const auto leave = [&](BlockId before, BlockId block) {
    const BlockId only = before == kNone ? kNone : onlyNext(facts, before, block);
    for (const BlockId next : facts.blocks[block].next) {
      const bool isLeft = only != kNone && next != only;
      if (isLeft || (block == from && next == to) || !shape.isIn(header, next)) continue;
      if (seen.emplace(block, next).second) open.emplace_back(block, next);
    }
  };
  leave(kNone, header);
  while (!open.empty()) {
    const auto [before, block] = open.back();
    open.pop_back();
    if (block == header) return false;
    leave(before, block);
  }
  return true;
}

std::vector<LoopGuard> loopGuardsOf(const Facts &facts, const FunctionShape &shape, BlockId header,
                                    const AddedIn &addedIn) {
  std::vector<LoopGuard> out;
  for (const BlockId block : shape.byOrder()) {
    if (!shape.isIn(header, block)) continue;
    const Block &b = facts.blocks[block];
    const Statement &last = facts.statements[b.last()];
    const bool isBranch = last.kind == StatementKind::Branch && last.numOperands == 1 &&
                          last.extra == kNone && b.next.size() == 2;
    const StatementId at =
        isBranch ? facts.values[facts.operandsOf(last)[0]].definition : StatementId(kNone);
    if (at == kNone || facts.statements[at].kind != StatementKind::Compare) continue;
    const Statement &compare = facts.statements[at];
    const auto predicate = static_cast<Predicate>(compare.extra);
    const auto operands = facts.operandsOf(compare);
    if (predicate == Predicate::Other || operands.size() != 2) continue;
    for (const bool isFirst : {true, false}) {
      const ValueId value = operands[isFirst ? 0 : 1], bound = operands[isFirst ? 1 : 0];
      const std::optional<int64_t> added = addedIn(value);
      if (!added) continue;
      for (const bool holds : {true, false}) {
        if (!isOnEveryRound(facts, shape, header, block, b.next[holds ? 0 : 1])) continue;
        const Predicate told = holds ? predicate : oppositeOf(predicate);
        out.push_back({.value = value,
                       .bound = bound,
                       .predicate = isFirst ? told : mirroredOf(told),
                       .isSigned = compare.bytes == 1,
                       .bits = std::max(facts.values[value].bits, facts.values[bound].bits),
                       .added = *added});
      }
    }
  }
  return out;
}

} // namespace fathom::statics::heap
