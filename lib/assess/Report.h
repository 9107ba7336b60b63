// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings in the forms in which they are read: tables for people, JSON for programs. Plots.h has
// the pictures.
#ifndef FATHOM_ASSESS_REPORT_H
#define FATHOM_ASSESS_REPORT_H

#include "assess/Findings.h"
#include "assess/Plan.h"

#include <string>
#include <vector>

namespace fathom::assess {

/// What a report shows besides the findings.
struct ReportContext {
  const Plan &plan;
  size_t done = 0; ///< trials
  uint64_t executions = 0;
  /// Programs on which trials covered what the truth calls unreachable, with how many elements.
  std::vector<std::string> contradictions;
};

/// The tables of all programs together, and the verdicts: plain text, for a terminal.
std::string summaryText(const Findings &findings, const ReportContext &context);
/// report.md: the same as Markdown, then each program's own tables.
std::string reportMarkdown(const Findings &findings, const ReportContext &context);
/// results.json (docs/assess.md lists the keys).
std::string resultsJson(const Findings &findings, const ReportContext &context);

/// The length of `units` sampling units as text: "40s", "7 min", "3.5 h", "2000 executions".
std::string lengthOfUnits(const Plan &plan, double units);

} // namespace fathom::assess
#endif
