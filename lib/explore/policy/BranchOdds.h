// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How probable it is that a state that comes to a branch can take a side of it. Who knows (a
// campaign's samples, say) implements this; the engine guesses by it (decide/Guesses.h).
//
// Source: [psp23] Sec. IV.
#ifndef FATHOM_EXPLORE_POLICY_BRANCHODDS_H
#define FATHOM_EXPLORE_POLICY_BRANCHODDS_H

#include <cstdint>
#include <optional>

namespace fathom::explore {

class BranchOdds {
public:
  virtual ~BranchOdds() = default;
  /// In [0, 1]. Nullopt: there is no estimate, as where nobody has ever been. Always the same
  /// answer: workers and whoever follows a log rely on it.
  virtual std::optional<double> ofSide(uint32_t branchId, uint32_t side) const = 0;
};

} // namespace fathom::explore
#endif
