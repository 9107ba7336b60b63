// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan --assertions: its options, and its results as text.
#ifndef FATHOM_TOOLS_SCANABSTRACT_H
#define FATHOM_TOOLS_SCANABSTRACT_H

#include "ScanFlags.h"

#include "run/scan/ScanAssertions.h"

namespace fathom::tool {

/// --domain, --call-depth and --checks. Throws UsageError.
void applyAbstractFlags(const ScanFlags &flags, run::ScanOptions &options);
/// What is printed of them, a document with --json.
std::string assertionsText(const run::CheckedAssertions &checked, const ScanFlags &flags,
                           Context &context);

} // namespace fathom::tool
#endif
