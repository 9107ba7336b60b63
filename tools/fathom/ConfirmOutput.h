// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `fathom confirm` prints and writes, report by report: nothing here grows with their number.
#ifndef FATHOM_TOOLS_CONFIRMOUTPUT_H
#define FATHOM_TOOLS_CONFIRMOUTPUT_H

#include "Command.h"

#include "confirm/Batch.h"

#include <map>

namespace fathom::tool {

struct ConfirmCounts {
  std::map<confirm::Verdict, uint64_t> verdicts;
  std::map<confirm::Cut, uint64_t> cuts; ///< of the open ones
  std::map<std::string, std::map<confirm::Verdict, uint64_t>> byRule;
  uint64_t reports = 0, groups = 0, distinct = 0; ///< distinct: causes of confirmed ones
  uint64_t fromMain = 0;                          ///< confirmed ones whose path begins at main
  uint64_t notFromCallers = 0; ///< others, whose callers did not show it, or were not asked
};
ConfirmCounts countsOf(const confirm::Batch &batch);

/// Every verdict, in the order of the reports, and a line with the counts.
void printVerdicts(const confirm::Batch &batch, const ConfirmCounts &counts, double seconds);
/// The same as one JSON document.
void printVerdictsJson(const confirm::Batch &batch, const ConfirmCounts &counts, double seconds);
/// Replaces the file when all is written, which may be the one that the reports came from. Throws
/// UsageError.
void writeVerdicts(const confirm::Batch &batch, const std::string &path);

} // namespace fathom::tool
#endif
