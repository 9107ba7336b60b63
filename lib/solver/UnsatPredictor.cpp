// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/UnsatPredictor.h"

namespace fathom::solver {

static constexpr uint32_t kNoBranch = ~0u;
static constexpr uint8_t kWeaklySat = 2, kStronglySat = 3;

bool UnsatPredictor::shouldRun(uint32_t branch) {
  if (branch == kNoBranch) return true;
  State &state = states_[branch];
  if (state.counter >= kWeaklySat) return true;
  if (probe_ && ++state.skipped >= probe_) {
    state.skipped = 0;
    ++stats_.probes;
    return true;
  }
  ++stats_.skipped;
  return false;
}

bool UnsatPredictor::isDoubtful(uint32_t branch) const {
  auto it = states_.find(branch);
  return it != states_.end() && it->second.counter < kStronglySat;
}

void UnsatPredictor::record(uint32_t branch, bool found) {
  if (branch == kNoBranch) return;
  State &state = states_[branch];
  const bool predictedSat = state.counter >= kWeaklySat;
  if (found && !predictedSat) {
    ++stats_.wrongUnsat;
    state.counter = kWeaklySat;
  } else if (found) {
    state.counter = kStronglySat;
  } else {
    stats_.wrongSat += predictedSat;
    if (state.counter > 0) --state.counter;
  }
}

} // namespace fathom::solver
