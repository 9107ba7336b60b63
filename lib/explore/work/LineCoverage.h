// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the interpreter's coverage (Coverage::cover, sideCover) to lines of the source.
#ifndef FATHOM_EXPLORE_WORK_LINECOVERAGE_H
#define FATHOM_EXPLORE_WORK_LINECOVERAGE_H

#include "explore/Explore.h"
#include "program/Code.h"

#include <cstdint>
#include <vector>

namespace fathom::explore {

/// Which lines of the program's own functions were covered, from the interpreter's coverage.
LineCoverage lineCoverage(const program::Program &program, const std::vector<uint8_t> &cover);
/// Lines and branch sides into the statistics.
void countCoverage(const program::Program &program, const std::vector<uint8_t> &cover,
                   const std::vector<uint8_t> &sideCover, ExploreResult &result);

} // namespace fathom::explore
#endif
