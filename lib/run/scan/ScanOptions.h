// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a scan is asked.
#ifndef FATHOM_RUN_SCANOPTIONS_H
#define FATHOM_RUN_SCANOPTIONS_H

#include "run/Limits.h"
#include "statics/abstract/Analysis.h"
#include "statics/checkers/Checkers.h"

#include <string>
#include <vector>

namespace fathom::run {

struct ScanOptions {
  std::vector<std::string> programs;
  std::string title; ///< what the program is called; empty: as in `programs`
  std::string entry; ///< a function; empty: the program's start-up code
  Limits limits;
  bool usesCache = true; ///< of results of earlier runs
  unsigned jobs = 1;     ///< functions that are analysed at a time; the answer is the same

  // Reports.
  statics::DefectKinds kinds = statics::kEveryKind;
  size_t maxReports = 1000; ///< of each kind
  /// Also what the analyses cannot rule out without looking at its conditions.
  bool all = false;
  bool allocationFailures = false; ///< also what needs an allocation that fails
  std::vector<std::string> only;   ///< which of them: OnlyFilter.h; empty: all

  // Abstract interpretation.
  statics::abstract::DomainKind domain = statics::abstract::DomainKind::Zones;
  unsigned callDepth = 4; ///< calls analysed in their caller's state
  bool checksShifts = false, checksOverflow = false;

  const std::string &name() const { return title.empty() ? programs.front() : title; }
};

} // namespace fathom::run
#endif
