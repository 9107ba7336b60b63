// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom psp triage: the probability that an alarm is real.
#ifndef FATHOM_TOOLS_PSPTRIAGE_H
#define FATHOM_TOOLS_PSPTRIAGE_H

#include "ScanFlags.h"

namespace fathom::tool {

struct TriageFlags {
  ScanFlags scan; ///< how alarms are found: as by fathom scan --assertions
  std::string campaign, reports;
  double theta = 0.8;
};

/// Alarms of the abstract interpreter, or the reports of --reports. Throws UsageError.
int runTriage(const TriageFlags &flags, Context &context);

} // namespace fathom::tool
#endif
