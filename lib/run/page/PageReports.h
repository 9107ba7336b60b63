// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of analysers in SARIF 2.1.0, with the verdicts that fathom confirm adds.
#ifndef FATHOM_RUN_PAGE_PAGEREPORTS_H
#define FATHOM_RUN_PAGE_PAGEREPORTS_H

#include "run/page/PageData.h"

#include "llvm/Support/Error.h"

namespace fathom::run::page {

/// Fills in `reports` from the files of `parts`, which are then of scan where no report has a
/// verdict. A UsageError: a file is no SARIF.
llvm::Error collectReports(PageData &data);

/// Fills in `Report::bug`. REQUIRES that files have the same names in both.
void linkReports(PageData &data);

} // namespace fathom::run::page
#endif
