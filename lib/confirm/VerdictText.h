// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verdicts for people.
#ifndef FATHOM_CONFIRM_VERDICTTEXT_H
#define FATHOM_CONFIRM_VERDICTTEXT_H

#include "confirm/Defect.h"
#include "report/ScanReport.h"

namespace fathom::confirm {

/// file:line:column, as far as it is known; the file as one would name it here (ShownPath.h).
std::string placeText(const std::string &file, uint32_t line, uint32_t column);

/// "n = 7, *p at 8 = 1 and 3 more"; "": nothing is known.
std::string valuesText(const Finding &finding);

/// The report's line with its verdict and reason. Of a confirmed one also the values that the path
/// begins with, its branches, its last calls, and where the object comes from, with source lines
/// and carets; that it comes from another source than the report's; of an open one what would
/// settle it.
///
/// \param before  the path that was told last: steps with which both begin are not told again
std::string verdictText(const Defect &defect, const Finding &finding,
                        const std::vector<PathStep> &before, report::SourceLines &sources);

/// A report that got its verdict from another one with the same kinds, source and sink.
std::string memberText(const Defect &defect, const Finding &finding, const Defect &leader);

} // namespace fathom::confirm
#endif
