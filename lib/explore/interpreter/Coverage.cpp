// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreter/Coverage.h"

#include "explore/policy/BranchProbability.h"

#include <algorithm>
#include <bit>
#include <memory>

namespace fathom::explore {

using namespace program;

Coverage::Coverage(const Program &program, const ExecutableCode &code,
                   const ExploreOptions &options)
    : cover(program.coverSize), sideCover(program.ownBranchSides), code_(code), options_(options),
      ownInst_(program.coverSize) {
  for (const Branch &b : program.branches) sideBase_.push_back(b.sideBase);
  for (uint32_t f = 0; f < program.functions.size(); f++) {
    const FunctionCode &function = program.functions[f];
    coverBase_.push_back(function.coverBase);
    const size_t end = std::min<size_t>(function.coverBase + code.sizeOf(f), ownInst_.size());
    for (size_t i = function.coverBase; i < end; i++) ownInst_[i] = function.own;
  }
}

void Coverage::tellOdds(State &state, uint32_t branchId, uint32_t side) const {
  options_.odds->took(state.oddsPath, branchId, side);
}

void Coverage::traceCheckpoint(State &state) {
  auto &list = state.traceCheckpoints;
  if (!list || list.use_count() > 1)
    list = list ? std::make_shared<std::vector<std::pair<uint64_t, uint64_t>>>(*list)
                : std::make_shared<std::vector<std::pair<uint64_t, uint64_t>>>();
  const uint64_t n = state.traceCount;
  list->emplace_back(n, state.traceHash);
  uint64_t next = std::bit_floor(n) * 2;
  if (n < options_.traceTo) next = std::min(next, std::max(n + 1, options_.traceFrom));
  state.nextCheckpoint = next;
}

} // namespace fathom::explore
