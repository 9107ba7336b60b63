// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dominators are held against their definition on random graphs; loops on small ones.
#include "program/CodeFlow.h"

#include "support/Rng.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::program;

namespace {

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
using Blocks = std::vector<uint32_t>;

/// One instruction for each block: a return, a jump or a branch.
FunctionCode graph(const std::vector<Blocks> &next) {
  FunctionCode f;
  for (const Blocks &to : next) {
    Inst i{to.empty() ? Op::RetVoid : to.size() == 1 ? Op::Jmp : Op::CondJmp};
    if (!to.empty()) i.c = to[0];
    if (to.size() > 1) i.d = to[1];
    f.code.push_back(i);
  }
  return f;
}

/// Is `to` reached from `from` without `without`?
bool reaches(const CodeFlow &flow, uint32_t from, uint32_t to, uint32_t without) {
  std::vector<bool> seen(flow.blocks().size());
  Blocks work{from};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    if (b == without || seen[b]) continue;
    if (b == to) return true;
    seen[b] = true;
    for (uint32_t n : flow.blocks()[b].next) work.push_back(n);
  }
  return false;
}

bool ends(const CodeFlow &flow, uint32_t from, uint32_t without) {
  for (uint32_t b = 0; b < flow.blocks().size(); b++)
    if (flow.blocks()[b].next.empty() && reaches(flow, from, b, without)) return true;
  return false;
}

TEST(CodeFlow, DominatorsAreWhatNoWayAvoids) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    Rng rng(seed);
    const uint32_t size = 2 + rng.below(12);
    std::vector<Blocks> next(size);
    for (Blocks &to : next)
      for (uint32_t n = rng.below(3); n > 0; n--) to.push_back(rng.below(size));
    CodeFlow flow(graph(next));
    ASSERT_EQ(flow.blocks().size(), size);
    const Blocks behind = postDominators(flow.blocks(), std::vector<bool>(size, true));
    for (uint32_t b = 0; b < size; b++) {
      const bool isReached = reaches(flow, 0, b, kNoIndex), isEnded = ends(flow, b, kNoIndex);
      for (uint32_t a = 0; a < size; a++) {
        if (isReached) EXPECT_EQ(flow.dominates(a, b), a == b || !reaches(flow, 0, b, a)) << seed;
        bool after = false;
        for (uint32_t p = b; p != kNoIndex; p = behind[p]) after |= p == a;
        if (isEnded) EXPECT_EQ(after, a == b || !ends(flow, b, a)) << seed;
      }
      if (!isReached) EXPECT_EQ(flow.dominator(b), kNoIndex);
      if (!isEnded) EXPECT_EQ(behind[b], kNoIndex);
    }
    for (const CodeLoop &loop : flow.loops())
      for (uint32_t b : loop.blocks) EXPECT_TRUE(flow.dominates(loop.header, b)) << seed;
  }
}

TEST(CodeFlow, PostDominatorsAmongSomeBlocksAreThoseOfTheGraphWithoutTheOthers) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    Rng rng(seed);
    const uint32_t size = 2 + rng.below(10);
    std::vector<Blocks> next(size);
    std::vector<bool> kept(size);
    for (uint32_t b = 0; b < size; b++) {
      kept[b] = rng.below(4) > 0;
      for (uint32_t n = rng.below(3); n > 0; n--) next[b].push_back(rng.below(size));
    }
    const std::vector<CodeBlock> blocks = codeBlocks(graph(next));
    ASSERT_EQ(blocks.size(), size);
    // Can the block come to an end through kept ones, and without that one?
    const auto ends = [&](uint32_t from, uint32_t without) {
      std::vector<bool> seen(size);
      Blocks work{from};
      while (!work.empty()) {
        const uint32_t b = work.back();
        work.pop_back();
        if (b == without || !kept[b] || seen[b]) continue;
        if (blocks[b].next.empty()) return true;
        seen[b] = true;
        work.insert(work.end(), blocks[b].next.begin(), blocks[b].next.end());
      }
      return false;
    };
    const Blocks found = postDominators(blocks, kept);
    for (uint32_t b = 0; b < size; b++) {
      if (!ends(b, kNoIndex)) {
        EXPECT_EQ(found[b], kNoIndex) << seed;
        continue;
      }
      for (uint32_t a = 0; a < size; a++) {
        bool after = false;
        for (uint32_t p = b; p != kNoIndex; p = found[p]) after |= p == a;
        EXPECT_EQ(after, a == b || !ends(b, a)) << seed;
      }
    }
  }
}

TEST(CodeFlow, NestedLoops) {
  // 0 -> 1 (outer) -> 2 (inner) -> 3 -> 2, 2 -> 4 -> 1, 1 -> 5
  CodeFlow flow(graph({{1}, {2, 5}, {3, 4}, {2}, {1}, {}}));
  ASSERT_EQ(flow.loops().size(), 2u);
  EXPECT_EQ(flow.loops()[0].header, 1u);
  EXPECT_EQ(flow.loops()[0].blocks, (Blocks{1, 2, 3, 4}));
  EXPECT_EQ(flow.loops()[0].exits, (Pairs{{1, 5}}));
  EXPECT_EQ(flow.loops()[0].parent, kNoIndex);
  EXPECT_EQ(flow.loops()[1].header, 2u);
  EXPECT_EQ(flow.loops()[1].blocks, (Blocks{2, 3}));
  EXPECT_EQ(flow.loops()[1].exits, (Pairs{{2, 4}}));
  EXPECT_EQ(flow.loops()[1].parent, 0u);
  EXPECT_EQ(flow.loopOf(3), 1u);
  EXPECT_EQ(flow.loopOf(4), 0u);
  EXPECT_EQ(flow.loopOf(5), kNoIndex);
  EXPECT_FALSE(flow.isIrreducible());
}

TEST(CodeFlow, OneHeaderIsOneLoopWithAllItsExits) {
  // continue in the middle (2 -> 1), break (3 -> 5), return (2 -> 4 is the rest)
  CodeFlow flow(graph({{1}, {2, 5}, {1, 3}, {4, 5}, {1, 6}, {}, {}}));
  ASSERT_EQ(flow.loops().size(), 1u);
  EXPECT_EQ(flow.loops()[0].blocks, (Blocks{1, 2, 3, 4}));
  EXPECT_EQ(flow.loops()[0].exits, (Pairs{{1, 5}, {3, 5}, {4, 6}}));
  EXPECT_EQ(postDominators(flow.blocks(), std::vector<bool>(7, true))[1], kNoIndex)
      << "5 and 6 end it";
}

TEST(CodeFlow, CyclesWithSeveralEntriesAreNoLoops) {
  CodeFlow flow(graph({{1, 2}, {2}, {1, 3}, {}}));
  EXPECT_TRUE(flow.isIrreducible());
  EXPECT_TRUE(flow.loops().empty());
  // Within a loop it stays one of its blocks.
  CodeFlow outer(graph({{1}, {2, 3}, {3}, {2, 4}, {1, 5}, {}}));
  EXPECT_TRUE(outer.isIrreducible());
  ASSERT_EQ(outer.loops().size(), 1u);
  EXPECT_EQ(outer.loops()[0].blocks, (Blocks{1, 2, 3, 4}));
}

TEST(CodeFlow, BlocksHoldStraightCode) {
  FunctionCode f;
  f.code = {{Op::Const}, {Op::Call}, {Op::Jmp}, {Op::Const}, {Op::RetVoid}};
  f.code[2].c = 4;
  CodeFlow flow(f);
  ASSERT_EQ(flow.blocks().size(), 3u);
  EXPECT_EQ(flow.blocks()[0].last, 2u);
  EXPECT_EQ(flow.blocks()[0].next, (Blocks{2}));
  EXPECT_EQ(flow.blocks()[1].next, (Blocks{2})) << "goes on into what is jumped to";
  EXPECT_EQ(flow.blockOf(1), 0u);
  EXPECT_EQ(flow.blockOf(3), 1u);
  EXPECT_EQ(flow.blockOf(4), 2u);
}

} // namespace
