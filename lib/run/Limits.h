// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_RUN_LIMITS_H
#define FATHOM_RUN_LIMITS_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace fathom::run {

/// What a run may use. Messages name a limit as its text does: "10s", "2G".
struct Limits {
  std::chrono::milliseconds time{0};   ///< 0: no bound
  std::optional<uint64_t> memoryBytes; ///< absent: 70 % of what is free
  std::string timeText, memoryText;
};

} // namespace fathom::run
#endif
