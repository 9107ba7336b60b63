// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What afl-fuzz executes inputs for (runtime/native/fuzz.h, enum fathom_stage). Only inputs that it
// has made are samples of what it can find: those of the fuzzing stages. The others are inputs
// that it has already, or parts of them, and are recorded apart.
#ifndef FATHOM_CAMPAIGN_STAGES_H
#define FATHOM_CAMPAIGN_STAGES_H

#include "../runtime/native/fuzz.h"

#include <array>
#include <cstdint>

namespace fathom::campaign {

/// Executions by stage.
using StageCounts = std::array<uint64_t, FATHOM_STAGES>;

/// Columns of campaign.db, and what people are told.
inline constexpr std::array<const char *, FATHOM_STAGES> kStageNames = {
    "unknown", "fuzzing", "calibration", "trimming", "comparisons", "sync"};

inline constexpr bool isFuzzing(unsigned stage) { return FATHOM_STAGE_IS_FUZZING(stage); }

inline uint64_t sumOf(const StageCounts &counts) {
  uint64_t sum = 0;
  for (uint64_t count : counts) sum += count;
  return sum;
}

/// Of the fuzzing stages, unknown ones among them.
inline uint64_t fuzzingOf(const StageCounts &counts) {
  uint64_t sum = 0;
  for (unsigned stage = 0; stage < FATHOM_STAGES; ++stage)
    if (isFuzzing(stage)) sum += counts[stage];
  return sum;
}

/// Which executions an incidence matrix is made of.
enum class StageSelection { Fuzzing, All };

} // namespace fathom::campaign
#endif
