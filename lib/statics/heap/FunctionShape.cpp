// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/FunctionShape.h"

#include <algorithm>

namespace fathom::statics::heap {

FunctionShape::FunctionShape(const Facts &facts, FunctionId function)
    : facts_(facts), id_(function), function_(facts.functions[function]) {
  findOrder();
  findLoops();
  findLive();
}

/// Reverse postorder; blocks that are not reached have none.
void FunctionShape::findOrder() {
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
void FunctionShape::findLoops() {
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
void FunctionShape::findLive() {
  const uint32_t first = function_.firstValue;
  std::vector<std::vector<bool>> isLive(function_.numBlocks,
                                        std::vector<bool>(function_.numValues));
  // Constants that a function is the first to use are numbered among its values.
  const auto isOwn = [&](ValueId v) { return facts_.values[v].function == id_; };
  for (bool changes = true; changes;) {
    changes = false;
    for (size_t i = byOrder_.size(); i-- > 0;) {
      const BlockId block = byOrder_[i];
      std::vector<bool> live(function_.numValues);
      for (const BlockId to : facts_.blocks[block].next) {
        std::vector<bool> there = isLive[index(to)];
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
      if (live != isLive[index(block)]) {
        isLive[index(block)] = std::move(live);
        changes = true;
      }
    }
  }
  live_.resize(function_.numBlocks);
  for (size_t block = 0; block < isLive.size(); block++)
    for (uint32_t v = 0; v < function_.numValues; v++)
      if (isLive[block][v]) live_[block].push_back(v);
}

std::vector<uint32_t> FunctionShape::liveWithin(BlockId block) const {
  std::vector<uint32_t> out = live_[index(block)];
  for (StatementId s = facts_.blocks[block].firstStatement; s < facts_.blocks[block].end(); s++)
    if (const ValueId result = facts_.statements[s].result; result != kNone)
      out.push_back(result - function_.firstValue);
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

/// The compiler makes one return of several: each of them leads to its block.
bool FunctionShape::isBehindReturns(BlockId block) const {
  const Statement &last = facts_.statements[facts_.blocks[block].last()];
  if (last.kind != StatementKind::Return) return false;
  if (last.numOperands != 0) return last.extra == kJoined;
  // Without a result, one of them is the function's end.
  return std::ranges::any_of(byOrder_, [&](BlockId from) {
    const std::vector<BlockId> &next = facts_.blocks[from].next;
    return std::ranges::find(next, block) != next.end() &&
           facts_.statements[facts_.blocks[from].last()].place == last.place;
  });
}

} // namespace fathom::statics::heap
