// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What static checkers reported of a program, kept for the next run on the same program.
#ifndef FATHOM_REPORT_SCANSTORE_H
#define FATHOM_REPORT_SCANSTORE_H

#include "statics/checkers/Report.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace fathom::report {

struct ScanResult {
  std::vector<statics::Report> reports;
  std::vector<std::string> notes; ///< what is missing from the reports
  bool isComplete = true;
  // Only for an incomplete result, which is not stored:
  std::string cutText{};                ///< what ended it early, and what is missing; "": nothing
  std::vector<evidence::BugKind> cut{}; ///< kinds whose checkers did not end
  double seconds = 0;                   ///< that the checkers took
};

/// Bytes that readScanResult reads: names of files and texts come back as they are, UTF-8 or not.
/// "" where there are more than `most`.
std::string storedScanResult(const ScanResult &result, uint64_t most = UINT64_MAX);
/// nullopt: not what storedScanResult wrote, or not all of it.
std::optional<ScanResult> readScanResult(llvm::StringRef text);

} // namespace fathom::report
#endif
