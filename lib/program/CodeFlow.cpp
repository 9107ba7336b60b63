// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dominators: Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm" (2001).
#include "program/CodeFlow.h"

#include <algorithm>

namespace fathom::program {

namespace {

using Edges = std::vector<std::vector<uint32_t>>;

Edges reversed(const Edges &edges) {
  Edges out(edges.size());
  for (uint32_t b = 0; b < edges.size(); b++)
    for (uint32_t to : edges[b]) out[to].push_back(b);
  return out;
}

/// The vertices that can be reached from `root`, in postorder.
std::vector<uint32_t> postorder(const Edges &next, uint32_t root) {
  std::vector<uint32_t> out;
  std::vector<bool> seen(next.size());
  std::vector<std::pair<uint32_t, size_t>> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto &[b, at] = stack.back();
    if (at == next[b].size()) {
      out.push_back(b);
      stack.pop_back();
      continue;
    }
    const uint32_t to = next[b][at++];
    if (seen[to]) continue;
    seen[to] = true;
    stack.emplace_back(to, 0);
  }
  return out;
}

/// kNoIndex for the root and what it does not reach. order: postorder from the root.
std::vector<uint32_t> dominators(const Edges &previous, const std::vector<uint32_t> &order) {
  const uint32_t root = order.back();
  std::vector<uint32_t> number(previous.size(), kNoIndex), above(previous.size(), kNoIndex);
  for (uint32_t i = 0; i < order.size(); i++) number[order[i]] = i;
  above[root] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size() - 1; i-- > 0;) {
      uint32_t common = kNoIndex;
      for (uint32_t p : previous[order[i]]) {
        if (above[p] == kNoIndex) continue;
        if (common == kNoIndex) common = p;
        for (uint32_t q = p; q != common;)
          if (number[q] < number[common])
            q = above[q];
          else
            common = above[common];
      }
      if (common == above[order[i]]) continue;
      above[order[i]] = common;
      changed = true;
    }
  }
  above[root] = kNoIndex;
  return above;
}

} // namespace

std::vector<CodeBlock> codeBlocks(const FunctionCode &f) {
  const auto size = static_cast<uint32_t>(f.code.size());
  std::vector<bool> leads(size + 1);
  leads[0] = true;
  for (uint32_t at = 0; at < size; at++) {
    forEachTarget(f, f.code[at], [&](uint32_t target) { leads[target] = true; });
    if (isTerminator(f.code[at].op)) leads[at + 1] = true;
  }
  std::vector<uint32_t> blockAt(size + 1);
  std::vector<CodeBlock> blocks;
  for (uint32_t at = 0; at < size; at++) {
    if (leads[at]) blocks.push_back({at, at, {}});
    blocks.back().last = at;
    blockAt[at] = static_cast<uint32_t>(blocks.size() - 1);
  }
  for (CodeBlock &b : blocks) {
    const Inst &last = f.code[b.last];
    forEachTarget(f, last, [&](uint32_t target) { b.next.push_back(blockAt[target]); });
    if (!isTerminator(last.op) && b.last + 1 < size) b.next.push_back(blockAt[b.last + 1]);
    std::sort(b.next.begin(), b.next.end());
    b.next.erase(std::unique(b.next.begin(), b.next.end()), b.next.end());
  }
  return blocks;
}

bool branchesBack(const FunctionCode &f) {
  bool found = false;
  for (uint32_t at = 0; at < f.code.size() && !found; at++)
    forEachTarget(f, f.code[at], [&](uint32_t target) { found |= target <= at; });
  return found;
}

std::vector<uint32_t> postDominators(const std::vector<CodeBlock> &blocks,
                                     const std::vector<bool> &kept) {
  const auto size = static_cast<uint32_t>(blocks.size());
  // Every end of the function leads to one more block, which all that end come from.
  Edges next(size + 1);
  for (uint32_t b = 0; b < size; b++) {
    if (!kept[b]) continue;
    for (uint32_t to : blocks[b].next)
      if (kept[to]) next[b].push_back(to);
    if (blocks[b].next.empty()) next[b].push_back(size);
  }
  const Edges back = reversed(next);
  std::vector<uint32_t> out = dominators(next, postorder(back, size));
  out.pop_back();
  for (uint32_t &b : out)
    if (b == size) b = kNoIndex;
  return out;
}

CodeFlow::CodeFlow(const FunctionCode &f) : blocks_(codeBlocks(f)) {
  const auto size = static_cast<uint32_t>(blocks_.size());
  loopOf_.assign(size, kNoIndex);
  if (!size) return;
  Edges next;
  for (const CodeBlock &b : blocks_) next.push_back(b.next);
  const Edges previous = reversed(next);
  const std::vector<uint32_t> order = postorder(next, 0);
  dominator_ = dominators(previous, order);
  findLoops(previous, order);
}

uint32_t CodeFlow::blockOf(uint32_t inst) const {
  auto it = std::upper_bound(blocks_.begin(), blocks_.end(), inst,
                             [](uint32_t i, const CodeBlock &b) { return i < b.first; });
  return static_cast<uint32_t>(it - blocks_.begin()) - 1;
}

bool CodeFlow::dominates(uint32_t above, uint32_t block) const {
  while (block != above && block != kNoIndex) block = dominator_[block];
  return block == above;
}

void CodeFlow::findLoops(const Edges &previous, const std::vector<uint32_t> &order) {
  std::vector<uint32_t> number(blocks_.size(), kNoIndex);
  for (uint32_t i = 0; i < order.size(); i++) number[order[i]] = i;
  for (uint32_t header = 0; header < blocks_.size(); header++) {
    if (number[header] == kNoIndex) continue;
    std::vector<bool> in(blocks_.size());
    std::vector<uint32_t> work;
    for (uint32_t from : previous[header]) {
      if (number[from] == kNoIndex || number[from] > number[header]) continue;
      // An edge back, in the order of a search from the start.
      if (dominates(header, from))
        work.push_back(from);
      else
        irreducible_ = true;
    }
    if (work.empty()) continue;
    in[header] = true;
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      if (in[b]) continue;
      in[b] = true;
      for (uint32_t p : previous[b])
        if (number[p] != kNoIndex) work.push_back(p);
    }
    CodeLoop loop{header, {}, {}};
    for (uint32_t b = 0; b < blocks_.size(); b++) {
      if (!in[b]) continue;
      loop.blocks.push_back(b);
      for (uint32_t to : blocks_[b].next)
        if (!in[to]) loop.exits.emplace_back(b, to);
    }
    loops_.push_back(std::move(loop));
  }
  // Loops are nested or apart: the smallest ones around a block are its own and its parents.
  std::vector<uint32_t> bySize(loops_.size());
  for (uint32_t i = 0; i < bySize.size(); i++) bySize[i] = i;
  std::sort(bySize.begin(), bySize.end(), [&](uint32_t a, uint32_t b) {
    const size_t x = loops_[a].blocks.size(), y = loops_[b].blocks.size();
    return x != y ? x > y : a < b;
  });
  for (uint32_t i : bySize) {
    loops_[i].parent = loopOf_[loops_[i].header];
    for (uint32_t b : loops_[i].blocks) loopOf_[b] = i;
  }
}

} // namespace fathom::program
