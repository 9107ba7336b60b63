// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests cover, which is less than what paths cover: a path that has no end has no test.
#ifndef FATHOM_EXPLORE_DECIDE_TESTCOVERAGE_H
#define FATHOM_EXPLORE_DECIDE_TESTCOVERAGE_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

struct Engine;

class TestCoverage : private EngineComponent {
public:
  explicit TestCoverage(Engine &engine);

  /// What the path was the first to cover and no test covers yet, oldest first.
  std::vector<uint32_t> newlyCoveredOf(const State &state) const;
  /// Is the state the first to cover something that no test covers?
  bool coversUntested(const State &state) const;
  /// Marks what the path covered first as covered by a test; false when tests had covered all of it
  /// before.
  bool claimCoverage(const State &s);

private:
  bool isClaimed(uint32_t what) const;

  std::vector<uint8_t> testCover_,
      testSideCover_; ///< like Coverage::cover and sideCover, but by paths that have a test
};

} // namespace fathom::explore
#endif
