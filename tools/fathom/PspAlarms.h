// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The alarms of the abstract interpreter: what psp triage judges, and where fathom fuzz samples.
#ifndef FATHOM_TOOLS_PSPALARMS_H
#define FATHOM_TOOLS_PSPALARMS_H

#include "ScanFlags.h"

#include "campaign/StatePoints.h"
#include "statics/abstract/ResultText.h"

namespace fathom::tool {

/// A program, as fathom scan --assertions analyses it. Stays where it is: states refer to it.
class ScannedProgram {
public:
  /// Throws UsageError: it cannot be read.
  ScannedProgram(const ScanFlags &flags, Context &context);
  ScannedProgram(const ScannedProgram &) = delete;

  /// What may fail, in the order of places. A finding's checks are those that may fail.
  std::vector<statics::abstract::Finding> alarms() const;

  statics::abstract::AbstractProgram program;
  statics::abstract::AnalysisResult result;
};

/// What is sampled at checks of a kind.
campaign::PointKind pointKindOf(statics::abstract::CheckKind kind);

/// Where the alarms are.
std::set<campaign::PointPlace> placesOf(const ScannedProgram &scanned);

} // namespace fathom::tool
#endif
