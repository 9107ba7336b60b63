// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a batch comes to, for people and for programs, report by report: nothing here grows with
// their number.
#ifndef FATHOM_CONFIRM_BATCHREPORT_H
#define FATHOM_CONFIRM_BATCHREPORT_H

#include "confirm/Batch.h"
#include "confirm/ReportIdentity.h"
#include "support/TextSink.h"

#include <map>
#include <string>

namespace fathom::confirm {

struct BatchCounts {
  VerdictCounts verdicts;
  std::map<Cut, uint64_t> cuts; ///< of the open ones
  std::map<std::string, VerdictCounts> byRule;
  uint64_t dismissed = 0;                         ///< not among the others
  uint64_t reports = 0, groups = 0, distinct = 0; ///< distinct: causes of those that a path
                                                  ///< shows
};
/// Without what is dismissed.
BatchCounts countsOf(const Batch &batch, const ReportListing &listing = {});

/// What it comes to; every verdict, what a path shows first, and what is refuted last; and a line
/// with the counts.
void writeVerdictsText(const Batch &batch, const BatchCounts &counts, double seconds,
                       const TextSink &out, const ReportListing &listing = {});
/// The same as one JSON document.
void writeVerdictsJson(const Batch &batch, const BatchCounts &counts, double seconds,
                       const TextSink &out, const ReportListing &listing = {});

} // namespace fathom::confirm
#endif
