// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan without --print or --assertions: what the checkers report.
#ifndef FATHOM_TOOLS_SCANREPORTS_H
#define FATHOM_TOOLS_SCANREPORTS_H

#include "ScanBudget.h"
#include "ScanFlags.h"

#include "statics/valueflow/ValueFlow.h"

namespace fathom::tool {

/// Checks --kinds and --baseline; throws UsageError.
void checkReportFlags(const ScanFlags &flags);
/// Returns the exit status.
int scanReports(const llvm::Module &module, const statics::ValueFlow &flow, const ScanFlags &flags,
                ScanBudget &budget, Context &context);

} // namespace fathom::tool
#endif
