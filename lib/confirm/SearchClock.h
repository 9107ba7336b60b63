// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of a search of several parts.
#ifndef FATHOM_CONFIRM_SEARCHCLOCK_H
#define FATHOM_CONFIRM_SEARCHCLOCK_H

#include "confirm/Search.h"

#include <chrono>

namespace fathom::confirm {

/// What is left of a time, without what the search waits for a processor.
class SearchClock {
public:
  explicit SearchClock(std::chrono::milliseconds time) : end_(Clock::now() + time) {}
  std::chrono::milliseconds left() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
  }
  bool isOver() const { return left() < kLeastSearch; }

private:
  using Clock = solver::Clock;
  Clock::time_point end_;
};

} // namespace fathom::confirm
#endif
