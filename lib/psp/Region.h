// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A_f of [psp23] Sec. III-A: the states that an over-approximation admits at a point. What is
// outside of it has probability 0 (Eq. 2).
#ifndef FATHOM_PSP_REGION_H
#define FATHOM_PSP_REGION_H

#include "psp/Samples.h"

#include <functional>

namespace fathom::psp {

/// lo, lo + stride, ..., hi.
struct Stretch {
  int64_t lo = INT64_MIN, hi = INT64_MAX;
  uint64_t stride = 1; ///< 0 only if lo == hi
  bool contains(int64_t value) const;
};

/// signX * x + signY * y <= bound, in the integers.
struct PairBound {
  int signX = 1;
  VariableId x = 0;
  int signY = -1;
  VariableId y = 0;
  int64_t bound = 0;
};

/// The conjunction of its parts; without any, everything.
struct Region {
  bool isEmpty = false;
  std::map<VariableId, std::vector<Stretch>> values; ///< a variable is in one of its stretches
  std::vector<PairBound> pairs;
  std::function<bool(const State &)> predicate; ///< anything else; may be empty

  /// Parts about variables that the state does not bind say nothing about it.
  bool contains(const State &state) const;
  /// The least interval around all values of a variable.
  std::pair<int64_t, int64_t> range(VariableId variable) const;
};

} // namespace fathom::psp
#endif
