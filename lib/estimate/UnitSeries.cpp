// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/UnitSeries.h"

#include <cassert>

namespace fathom::estimate {

UnitSeries unitSeries(const IncidenceMatrix &matrix) {
  size_t t = matrix.units();
  UnitSeries series;
  for (auto *v : {&series.observed, &series.singletons, &series.doubletons, &series.discovered})
    v->assign(t, 0);
  // An element's first, second and third unit each change the counts once: collected, then summed
  // up.
  std::vector<uint64_t> second(t, 0), third(t, 0);
  for (size_t i = 0; i < matrix.listed(); ++i) {
    std::span<const uint32_t> row = matrix.row(i);
    if (!row.empty()) series.discovered[row[0]]++;
    if (row.size() > 1) second[row[1]]++;
    if (row.size() > 2) third[row[2]]++;
  }
  uint64_t once = 0, twice = 0, more = 0; // elements covered at least so often
  for (size_t j = 0; j < t; ++j) {
    once += series.discovered[j];
    twice += second[j];
    more += third[j];
    series.observed[j] = once;
    series.singletons[j] = once - twice;
    series.doubletons[j] = twice - more;
  }
  return series;
}

StopRule stopRule(const UnitSeries &series, uint64_t window) {
  assert(window >= 1 && "units in a row");
  StopRule rule;
  uint64_t run = 0;
  for (size_t j = 0; j < series.observed.size(); ++j) {
    // Nothing covered yet is no equilibrium.
    bool holds = series.observed[j] > 0 && series.singletons[j] <= series.doubletons[j];
    run = holds ? run + 1 : 0;
    rule.holdsNow = holds;
    if (run == window && rule.since == 0) rule.since = j + 2 - window;
  }
  return rule;
}

} // namespace fathom::estimate
