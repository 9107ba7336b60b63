// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/MergeBenefit.h"

#include "explore/decide/Engine.h"
#include "explore/merge/KnownCounters.h"

#include <algorithm>

namespace fathom::explore {

namespace {

/// So many paths are asked of each loop.
constexpr uint32_t kAsked = 24;
/// A loop is left if at most so many of them stand for more than one path.
constexpr uint32_t kFewShared = 3;

/// What holds on the loop's path that the witness takes, and on no other of those that were merged;
/// null: it is not known.
ExprPtr ownCondition(Engine &engine, State &s, const MergedHere &merge) {
  if (merge.counter) return hasWitnessValue(engine, s, merge.counter);
  auto isTaken = [&](ExprPtr e) { return engine.witnesses.holdsUnderWitness(s, e); };
  auto mine = std::ranges::find_if(*merge.members, isTaken);
  return mine == merge.members->end() ? nullptr : *mine;
}

} // namespace

MergeBenefit::Tally MergeBenefit::of(uint32_t loop) const {
  auto tally = tallies_.find(loop);
  return tally == tallies_.end() ? Tally{} : tally->second;
}

bool MergeBenefit::isAsking(uint32_t loop) const {
  const Tally tally = of(loop);
  return tally.alone + tally.shared < kAsked;
}

bool MergeBenefit::isVain(uint32_t loop) const {
  return !isAsking(loop) && of(loop).shared <= kFewShared;
}

void MergeBenefit::ended(Engine &engine, State &s) {
  for (auto *n = s.merges.last.get(); n; n = n->previous.get()) {
    const MergedHere &merge = n->value;
    if (!isAsking(merge.loop)) continue;
    ExprPtr own = ownCondition(engine, s, merge);
    if (!own) continue;
    Tally &tally = tallies_[merge.loop];
    (leavesOnly(engine, s, own) ? tally.alone : tally.shared)++;
  }
}

} // namespace fathom::explore
