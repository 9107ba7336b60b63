// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verdicts for people, and as SARIF 2.1.0 for other programs.
#ifndef FATHOM_CONFIRM_WRITEVERDICTS_H
#define FATHOM_CONFIRM_WRITEVERDICTS_H

#include "confirm/Defect.h"
#include "confirm/ReadReports.h"
#include "report/ScanReport.h"

namespace fathom::confirm {

/// The report's line with its verdict and reason; of a confirmed one also the path's last calls,
/// with their source lines.
std::string verdictText(const Defect &defect, const Finding &finding, report::SourceLines &sources);

/// The input's results, each as it was, with properties.verdict and properties.reason; a refuted
/// one is suppressed, and a confirmed one has the path's end as a further code flow. Reports that
/// came in another form are written as results of their own.
/// REQUIRES findings.size() == reports.defects.size(); null: no verdict was asked for.
llvm::json::Value verdictSarif(const Reports &reports,
                               const std::vector<const Finding *> &findings);

} // namespace fathom::confirm
#endif
