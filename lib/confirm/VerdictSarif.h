// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verdicts as SARIF 2.1.0 for other programs.
#ifndef FATHOM_CONFIRM_VERDICTSARIF_H
#define FATHOM_CONFIRM_VERDICTSARIF_H

#include "confirm/Batch.h"
#include "confirm/ReportIdentity.h"
#include "report/ScanReport.h"

#include "llvm/Support/raw_ostream.h"

namespace fathom::confirm {

/// Writes all reports, each as it was, with properties.verdict, properties.reason and, of open
/// ones, properties.openBecause and properties.settledBy; of those
/// that a path shows properties.feasibleFrom, and of one that is from another source
/// properties.otherSource. A refuted one is suppressed, and one that a path shows has it as a
/// further code flow. Members of a group name it (properties.group).
///
/// One SARIF file is copied: nothing of it changes but the results that have a verdict. Of several
/// files the runs are written one after the other; reports in other forms become runs of their
/// tool. A result without fingerprints gets one that stays when lines move (fathomReport/v1).
/// Memory: one result's, and the identities of all.
void writeVerdictSarif(const Batch &batch, report::SourceLines &sources,
                       const ReportListing &listing, llvm::raw_ostream &out);

} // namespace fathom::confirm
#endif
