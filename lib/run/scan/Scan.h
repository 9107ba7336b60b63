// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan: what an over-approximation of the whole program cannot rule out. The two other
// activities of a scan are scanAssertions and printAnalysis.
#ifndef FATHOM_RUN_SCAN_H
#define FATHOM_RUN_SCAN_H

#include "report/ScanStore.h"
#include "run/scan/ScanOptions.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

namespace fathom::run {

/// A UsageError if the options are invalid.
llvm::Error validate(const ScanOptions &options);

/// What is looked for, in the words of the options: reports of two scans can be compared if it is
/// the same.
std::string scopeOf(const ScanOptions &options);

/// What the checkers report, or reported in an earlier run on the same program. A UsageError: the
/// options are wrong, or the program cannot be read.
llvm::Expected<report::ScanResult> scanReports(const ScanOptions &options, Session &session);

} // namespace fathom::run
#endif
