// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a defect may begin, for a report that names one place only (cppcheck's zerodiv or
// uninitvar): what flows to that place, as the checkers of fathom scan find it.
#ifndef FATHOM_CONFIRM_FLOWSOURCES_H
#define FATHOM_CONFIRM_FLOWSOURCES_H

#include "confirm/Defect.h"
#include "statics/valueflow/ValueFlow.h"

#include <atomic>
#include <map>

namespace fathom::confirm {

class FlowSources {
public:
  /// Runs the checkers of all kinds. When `stop` ended them, sources are missing.
  FlowSources(const statics::ValueFlow &flow, const std::atomic<bool> &stop);

  /// Steps from each possible source to the place, the sources with the fewest guesses first; none:
  /// nothing is known. O(log reports).
  std::vector<std::vector<Place>> of(const Defect &defect) const;

private:
  struct Flow {
    evidence::BugKind kind;
    std::string file; ///< of the sink
    std::vector<Place> steps;
  };
  std::map<uint32_t, std::vector<Flow>> bySinkLine_;
};

} // namespace fathom::confirm
#endif
