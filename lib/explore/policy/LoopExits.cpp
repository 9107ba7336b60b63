// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/policy/LoopExits.h"

#include "program/CodeFlow.h"

#include <algorithm>

namespace fathom::explore {

using namespace program;

/// Where each way of a branch or switch leads, by the numbers that decisions have. Empty: it is
/// neither.
static std::vector<uint32_t> waysOf(const FunctionCode &f, const Inst &branch) {
  if (branch.op == Op::CondJmp) return {branch.d, branch.c};
  if (branch.op != Op::Switch) return {};
  const SwitchTable &table = f.switches[branch.imm];
  std::vector<uint32_t> ways{table.defaultTarget};
  for (size_t i = 0; i < table.sides.size(); ++i) {
    ways.resize(std::max<size_t>(ways.size(), table.sides[i] + 1), table.defaultTarget);
    if (table.sides[i]) ways[table.sides[i]] = table.targets[i];
  }
  return ways;
}

LoopExits::LoopExits(const Program &program) {
  for (const FunctionCode &f : program.functions)
    if (!f.code.empty() && branchesBack(f)) add(f);
}

void LoopExits::add(const FunctionCode &f) {
  const CodeFlow flow(f);
  std::vector<uint32_t> stay;
  for (const CodeLoop &loop : flow.loops())
    for (auto &[from, to] : loop.exits) {
      const uint32_t branch = flow.blocks()[from].last;
      const uint32_t innermost = flow.loopOf(from);
      if (innermost == kNoIndex || &flow.loops()[innermost] != &loop) continue;
      Exit exit{flow.blocks()[loop.header].first, {}};
      for (uint32_t target : waysOf(f, f.code[branch])) {
        const bool stays = std::ranges::binary_search(loop.blocks, flow.blockOf(target));
        exit.stays.push_back(stays);
        if (stays) stay.push_back(target);
      }
      if (!exit.stays.empty()) exits_[keyOf(f.id, branch)] = std::move(exit);
    }
  std::ranges::sort(stay);
  stay.erase(std::unique(stay.begin(), stay.end()), stay.end());
  for (uint32_t inst : stay) staying_.push_back({f.id, inst});
}

const LoopExits::Exit *LoopExits::at(uint32_t function, uint32_t inst) const {
  const auto known = exits_.find(keyOf(function, inst));
  return known == exits_.end() ? nullptr : &known->second;
}

} // namespace fathom::explore
