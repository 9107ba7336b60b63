// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of the scan that a bug of the same run shows. Confirming asks of a report whether an
// input leads there; the fuzzer and the explorer may have found one meanwhile, or afterwards. What
// they found decides, whatever the search for it came to: an execution shows the defect.
#ifndef FATHOM_RUN_ALL_SHOWNREPORTS_H
#define FATHOM_RUN_ALL_SHOWNREPORTS_H

#include "run/all/RunAll.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

/// How many reports that no search had confirmed a bug has shown, by the verdict that they had.
struct ShownReports {
  uint64_t open = 0; ///< or without a verdict
  uint64_t possible = 0;
  std::vector<std::string> refuted; ///< the places of reports that were refuted, which is a mistake
  uint64_t all() const { return open + possible + refuted.size(); }
};

/// Gives the verdict "confirmed" to each report in `reports` that one of the bugs shows (its kind,
/// and its innermost own call at the report's line), with the bug's folder as the reproducer, and
/// writes the document to `to`, if there is such a report. A report that was refuted counts only if
/// the bug also comes from its source: memory that was freed or allocated there. Dismissed reports
/// stay as they are. Errors: a file cannot be read or written. O(reports x bugs).
llvm::Expected<ShownReports> confirmByBugs(const std::string &reports, const std::string &to,
                                           const std::string &folder,
                                           const std::vector<RunBug> &bugs);

} // namespace fathom::run
#endif
