// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan without --print or --assertions: what the checkers report, as text and documents.
#ifndef FATHOM_TOOLS_SCANREPORTS_H
#define FATHOM_TOOLS_SCANREPORTS_H

#include "ScanFlags.h"

#include "report/ScanStore.h"

namespace fathom::tool {

/// What --kinds takes, separated by commas.
std::string defectKindNames();
/// --kinds use-after-free,...; all without it. Throws UsageError.
statics::DefectKinds defectKinds(const ScanFlags &flags);
/// Checks --kinds and --baseline; throws UsageError.
void checkReportFlags(const ScanFlags &flags);
/// Prints them, and writes --sarif. Returns the exit status. Throws UsageError.
int showReports(const report::ScanResult &result, const ScanFlags &flags, Context &context);

} // namespace fathom::tool
#endif
