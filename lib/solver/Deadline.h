// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Until when a query may be worked on.
#ifndef FATHOM_SOLVER_DEADLINE_H
#define FATHOM_SOLVER_DEADLINE_H

#include "solver/Oracle.h"

#include <atomic>

namespace fathom::solver {

struct Deadline {
  Clock::time_point at = Clock::time_point::max();
  const std::atomic<bool> *stop = nullptr; ///< Ends it too, once it is true; may be null.
  /// Reads the clock: tens of nanoseconds.
  bool passed() const {
    return (stop && stop->load(std::memory_order_relaxed)) || Clock::now() >= at;
  }
};

} // namespace fathom::solver
#endif
