// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan --assertions, and --print abstract: abstract interpretation.
#ifndef FATHOM_TOOLS_SCANABSTRACT_H
#define FATHOM_TOOLS_SCANABSTRACT_H

#include "ScanBudget.h"
#include "ScanFlags.h"

namespace fathom::tool {

/// Checks the options of the abstract interpreter; throws UsageError.
void checkAbstractFlags(const ScanFlags &flags);
/// --assertions: a verdict for every assertion, access and division. Returns the exit status.
int scanAssertions(const llvm::Module &module, const ScanFlags &flags, ScanBudget &budget,
                   Context &context);
/// --print abstract[:FUNCTION]: the states at the starts of blocks.
void printAbstract(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                   ScanBudget &budget, Context &context);

} // namespace fathom::tool
#endif
