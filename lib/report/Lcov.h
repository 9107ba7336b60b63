// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coverage in lcov's tracefile format, which genhtml and most editors read.
#ifndef FATHOM_REPORT_LCOV_H
#define FATHOM_REPORT_LCOV_H

#include "explore/Results.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fathom::report {

/// One source file; counts are those of a native run, or 1 for "covered".
struct FileCoverage {
  struct Branch {
    uint32_t line = 0;
    uint32_t block = 0;               ///< tells branches of one line apart
    std::vector<uint64_t> sideCounts; ///< per side
  };
  std::map<uint32_t, uint64_t> lines; ///< line -> count
  std::vector<Branch> branches;
};

/// Sorted by file name; test names the run ("TN:").
std::string lcovText(const std::map<std::string, FileCoverage> &files, const std::string &test);
std::string lcovText(const explore::LineCoverage &lines, const std::string &test);

} // namespace fathom::report
#endif
