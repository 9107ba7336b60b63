// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A campaign unit by unit: what was covered after each, and from when on one could stop.
#ifndef FATHOM_ESTIMATE_UNITSERIES_H
#define FATHOM_ESTIMATE_UNITSERIES_H

#include "estimate/Incidence.h"

namespace fathom::estimate {

/// After each unit. Shape of each: t.
struct UnitSeries {
  std::vector<uint64_t> observed;   ///< D after the unit
  std::vector<uint64_t> singletons; ///< Q1 after the unit
  std::vector<uint64_t> doubletons; ///< Q2 after the unit
  std::vector<uint64_t> discovered; ///< elements that the unit covered first
};
/// Cost: O(incidences + t).
UnitSeries unitSeries(const IncidenceMatrix &matrix);

/// The stop rule "no more singletons than doubletons", from which on Chao2's unseen part is at most
/// half of the singletons. One crossing can be chance, so it has to hold for `window` units in a
/// row. Proven only for equal detection probabilities. Depends on the unit: larger units meet it
/// sooner.
struct StopRule {
  bool holdsNow = false;
  /// The number of units (from 1) after which it first held for `window` units in a row: the first
  /// of them. 0: never.
  uint64_t since = 0;
};
StopRule stopRule(const UnitSeries &series, uint64_t window = 3);

} // namespace fathom::estimate
#endif
