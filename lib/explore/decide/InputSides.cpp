// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/InputSides.h"

#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/StepContext.h"
#include "support/HashMix.h"

#include <bit>

namespace fathom::explore {

namespace {
/// So many paths leave the same side for a query before it is left out.
constexpr unsigned kOftenOwn = 4, kOftenOther = 2;
/// Stands for a side where there is none.
constexpr uint32_t kNoSide = ~0u;

bool note(State &s) {
  s.log.append(Record::Answer, static_cast<uint64_t>(Feasible::Unknown));
  return true;
}
} // namespace

bool InputSides::isOffered(const State &s) const {
  return s.followsOffered() && !s.replayedLog && !s.discarded && !stepContext_.isNested;
}

const program::Inst *InputSides::ownCaller(const State &s) const {
  for (const Frame *frame = s.top; frame; frame = frame->parent)
    if (program_.functions[frame->function].own) return frame == s.top ? s.ip : frame->resume;
  return nullptr;
}

bool InputSides::isOften(const State &s, uint32_t side, unsigned most, bool isOwn) {
  uint64_t key = reinterpret_cast<uintptr_t>(s.ip);
  for (const uint64_t part :
       {uint64_t(side), isOwn ? 0 : uint64_t(reinterpret_cast<uintptr_t>(ownCaller(s)))})
    key = mixHash(key, part);
  const unsigned times = ++asked_[key];
  return times > most && !std::has_single_bit(times);
}

bool InputSides::leavesOut(State &s, uint32_t branchId, uint32_t side, bool isOwn) {
  if (!isOffered(s)) return false;
  if (isOwn && interpreter_.coverage.isSideCovered(branchId, side)) return note(s);
  return isOften(s, side, isOwn ? kOftenOwn : kOftenOther, isOwn) && note(s);
}

bool InputSides::leavesOutOther(State &s) {
  return isOffered(s) && isOften(s, kNoSide, kOftenOther, /*isOwn=*/false) && note(s);
}

} // namespace fathom::explore
