// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/MergeContext.h"

#include "explore/decide/Engine.h"

#include <fmt/format.h>

#include <cstdio>

namespace fathom::explore {

StateJoin &MergeContext::join(Engine &engine) {
  if (!join_) join_ = std::make_unique<StateJoin>(engine.services);
  return *join_;
}

ExprPtr MergeContext::counterFor(Engine &engine, const State &root, uint64_t most) {
  const unsigned bytes = most < 256 ? 1 : most < 65536 ? 2 : 4;
  ExprPtr &array = counters_[{root.counters.size(), bytes}];
  if (!array)
    array = engine.services.context.symbol(fmt::format("rounds_{}", root.counters.size()), bytes);
  return array;
}

void MergeContext::check(Engine &engine, const State &into, const Merged &what) {
  Stats &stats = engine.services.stats;
  if (!check_)
    check_ = std::make_unique<MergeCheck>(engine.services.context, std::chrono::seconds(1));
  const MergeCheck::Result result = check_->check(what);
  stats.mergesChecked++;
  stats.mergesWrong += !result.wrong.empty();
  stats.mergeQuestionsOpen += result.open;
  if (!result.wrong.empty())
    fmt::print(stderr, "merge: {}: WRONG: {}\n", engine.places.where(into), result.wrong);
}

} // namespace fathom::explore
