// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all workers of an exploration have covered together.
#ifndef FATHOM_EXPLORE_WORK_SHAREDCOVERAGE_H
#define FATHOM_EXPLORE_WORK_SHAREDCOVERAGE_H

#include "program/Code.h"

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace fathom::explore {

/// Places are named as in State::newlyCovered: an instruction, or a side with Coverage::kSideBit.
class SharedCoverage {
public:
  explicit SharedCoverage(const program::Program &program);

  const std::vector<uint8_t> &instructions() const { return cover_; }
  const std::vector<uint8_t> &sides() const { return sideCover_; }
  /// What an earlier run had covered; of a program of another size, what fits.
  void restore(const std::vector<uint8_t> &instructions, const std::vector<uint8_t> &sides);
  void note(const std::vector<uint32_t> &covered);
  /// Coverage of paths that are explored again still counts as covered, but the next path that
  /// reaches it counts as the first.
  void forget(const std::vector<uint32_t> &covered) {
    uncovered_.insert(covered.begin(), covered.end());
  }
  /// What a new worker has to know as covered by others.
  std::vector<uint32_t> known() const;

private:
  std::vector<uint8_t> cover_, sideCover_;
  std::unordered_set<uint32_t> uncovered_; ///< of these, what is to be covered once more
};

} // namespace fathom::explore
#endif
