// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan without --print or --assertions: what the checkers report.
#ifndef FATHOM_TOOLS_SCANREPORTS_H
#define FATHOM_TOOLS_SCANREPORTS_H

#include "ScanBudget.h"
#include "ScanFlags.h"

#include "report/ScanStore.h"
#include "statics/valueflow/ValueFlow.h"

namespace fathom::tool {

/// What --kinds takes, separated by commas.
std::string defectKindNames();
/// Checks --kinds and --baseline; throws UsageError.
void checkReportFlags(const ScanFlags &flags);
/// What the reports depend on, but the program: how they are shown is not part of it.
std::string reportsQuestion(const ScanFlags &flags);
/// What the checkers say.
report::ScanResult findReports(const llvm::Module &module, const statics::ValueFlow &flow,
                               const ScanFlags &flags, ScanBudget &budget, Context &context);
/// Prints them, and writes --sarif. Returns the exit status. Throws UsageError.
int showReports(const report::ScanResult &result, const ScanFlags &flags, Context &context);

} // namespace fathom::tool
#endif
