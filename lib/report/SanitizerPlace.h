// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a sanitizer's report tell of the bug, or of another one of the same kind? The kind is the
// business of SanitizerReport.h; here the places are compared.
#ifndef FATHOM_REPORT_SANITIZERPLACE_H
#define FATHOM_REPORT_SANITIZERPLACE_H

#include "report/SanitizerReport.h"

#include <string>
#include <vector>

namespace fathom::report {

enum class PlaceAgreement : uint8_t {
  Same,
  Other,
  Unknown ///< the report has no line of the program (a build without -g, no symbolizer), or the bug
          ///< has none
};

/// Lines, by file names without folders: the builds may lie in different ones. An access agrees if
/// the report's innermost line of the program is one of the bug's calls, or the bug's line is one
/// of the report's. A leak agrees if a block was allocated at the bug's line, by the same calls as
/// far as both name them.
/// \param stack  of the bug, innermost first
PlaceAgreement placeAgreement(const SanitizerReport &report, evidence::BugKind kind,
                              const std::vector<evidence::StackFrame> &stack);

/// The same of the calls that were active when a program without sanitizers crashed.
PlaceAgreement crashAgreement(const std::vector<evidence::StackFrame> &calls,
                              const std::vector<evidence::StackFrame> &stack);
/// The innermost line of the program in `calls`, "a.c:12"; "": there is none.
std::string crashPlaceText(const std::vector<evidence::StackFrame> &calls);

/// The report's innermost line of the program, "a.c:12"; of a leak, that of its first block. "": it
/// has none.
std::string placeText(const SanitizerReport &report, evidence::BugKind kind);

} // namespace fathom::report
#endif
