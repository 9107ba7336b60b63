// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/merge/MergeBenefit.h"

#include "explore/decide/Engine.h"
#include "explore/merge/KnownCounters.h"

#include <algorithm>
#include <optional>

namespace fathom::explore {

namespace {

/// A loop is left when so many of its ways were alone, in merges that were taken apart.
constexpr uint32_t kEnoughAlone = 24;
/// So many paths that stand for several ways say that merging pays.
constexpr uint32_t kEnoughShared = 4;
/// More paths of a loop are not asked: until then it was not in vain.
constexpr uint32_t kMaxAsked = 512;

/// Which of the ways through the loop the witness takes; nullopt: it is not known.
std::optional<uint64_t> wayOf(Engine &engine, State &s, const MergedHere &merge) {
  if (merge.counter) {
    uint64_t count = 0;
    for (uint64_t i = merge.counter->array().sizeBytes; i-- > 0;)
      count = count << 8 |
              engine.witnesses.witnessValue(s, engine.services.context.read(merge.counter, i));
    return count;
  }
  auto isTaken = [&](ExprPtr e) { return engine.witnesses.holdsUnderWitness(s, e); };
  auto mine = std::ranges::find_if(*merge.members, isTaken);
  if (mine == merge.members->end()) return {};
  return static_cast<uint64_t>(mine - merge.members->begin());
}

/// Holds on that way, which the witness takes, and on no other of those that were merged.
ExprPtr ownCondition(Engine &engine, State &s, const MergedHere &merge, uint64_t way) {
  return merge.counter ? hasWitnessValue(engine, s, merge.counter) : (*merge.members)[way];
}

} // namespace

MergeBenefit::Tally MergeBenefit::of(uint32_t loop) const {
  auto found = loops_.find(loop);
  return found == loops_.end() ? Tally{} : found->second.tally;
}

bool MergeBenefit::isAsking(uint32_t loop) const {
  const Tally tally = of(loop);
  return tally.shared < kEnoughShared && tally.apart < kEnoughAlone &&
         tally.alone + tally.shared + tally.unknown < kMaxAsked;
}

bool MergeBenefit::isVain(uint32_t loop) const { return of(loop).apart >= kEnoughAlone; }

void MergeBenefit::ended(Engine &engine, State &s) {
  for (auto *n = s.merges.last.get(); n; n = n->previous.get()) {
    const MergedHere &merge = n->value;
    if (!isAsking(merge.loop)) continue;
    const std::optional<uint64_t> way = wayOf(engine, s, merge);
    if (!way) continue;
    Loop &loop = loops_[merge.loop];
    auto &alone = loop.alone[merge.identity];
    if (alone.contains(*way)) continue;
    const std::optional<bool> isAlone = leavesOnly(engine, s, ownCondition(engine, s, merge, *way));
    if (!isAlone.value_or(false)) {
      (isAlone ? loop.tally.shared : loop.tally.unknown)++;
      continue;
    }
    alone.insert(*way);
    loop.tally.alone++;
    const uint64_t ways = std::min<uint64_t>(merge.paths, kMaxAsked);
    if (2 * alone.size() <= ways) continue;
    // With the way that makes it most of them, those before count too.
    const bool isFirst = 2 * (alone.size() - 1) <= ways;
    loop.tally.apart += isFirst ? static_cast<uint32_t>(alone.size()) : 1;
  }
}

} // namespace fathom::explore
