// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/LineCoverage.h"

#include <algorithm>

namespace fathom::explore {

void countCoverage(const program::Program &program, const std::vector<uint8_t> &cover,
                   const std::vector<uint8_t> &sideCover, ExploreResult &result) {
  Stats &stats = result.stats;
  stats.branchesCovered = static_cast<uint64_t>(std::count(sideCover.begin(), sideCover.end(), 1));
  stats.branchesTotal = program.ownBranchSides;
  result.lines = lineCoverage(program, cover);
  stats.linesCovered = stats.linesTotal = 0;
  for (auto &[file, lines] : result.lines.files)
    for (auto &[line, covered] : lines) {
      stats.linesTotal++;
      stats.linesCovered += covered;
    }
}

/// A line is covered when control came to where it begins: instructions run from a covered entry to
/// the next control transfer.
LineCoverage lineCoverage(const program::Program &program, const std::vector<uint8_t> &cover) {
  LineCoverage out;
  for (const program::FunctionCode &f : program.functions) {
    if (!f.own) continue;
    bool running = false;
    auto start = f.lineStarts.begin();
    for (uint32_t i = 0; i < f.code.size(); i++) {
      running |= cover[f.coverBase + i] != 0;
      for (; start != f.lineStarts.end() && start->first == i; ++start) {
        const program::Location &l = program.locations[start->second];
        out.files[program.files[l.file]][l.line] |= running;
      }
      if (program::isTransfer(f.code[i].op)) running = false;
    }
  }
  return out;
}

} // namespace fathom::explore
