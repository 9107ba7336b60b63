// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The probability that a state at a branch can take a side of it. A source of such knowledge (a
// campaign's samples, say) implements this interface; the engine guesses by it
// (decide/SpeculativeBranches.h).
//
// Source: [psp23] Sec. IV.
#ifndef FATHOM_EXPLORE_POLICY_BRANCHPROBABILITY_H
#define FATHOM_EXPLORE_POLICY_BRANCHPROBABILITY_H

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fathom::explore {

class BranchProbability {
public:
  virtual ~BranchProbability() = default;
  /// The probability, in [0, 1]. Nullopt: there is no estimate, for example because no sample
  /// reached the place. The answer is always the same: workers and replays rely on it.
  /// \param path  what `took` has made of the path so far.
  virtual std::optional<double> ofSide(uint32_t branchId, uint32_t side,
                                       std::span<const uint64_t> path) const = 0;
  /// A path takes a side of a branch of the program's own, whether or not it had a choice. `path`
  /// is empty at its begin, belongs to these odds, and is copied where the path forks.
  virtual void took(std::vector<uint64_t> &path, uint32_t branchId, uint32_t side) const {
    (void)path, (void)branchId, (void)side;
  }
};

} // namespace fathom::explore
#endif
