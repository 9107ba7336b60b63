// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom psp triage: the probability that an alarm is real.
#ifndef FATHOM_TOOLS_PSPTRIAGE_H
#define FATHOM_TOOLS_PSPTRIAGE_H

#include "PspSamples.h"
#include "ScanFlags.h"

#include "psp/Satisfiability.h"

#include <memory>

namespace fathom::tool {

struct TriageFlags {
  ScanFlags scan; ///< how alarms are found: as by fathom scan --assertions
  std::string campaign, reports;
  double theta = 0.8;
};

/// Something that may fail, and how probable that is.
struct Alarm {
  std::string file, function, what;
  uint32_t line = 0, column = 0;
  bool isAccess = false;          ///< a read or write of memory
  bool isInUnknownObject = false; ///< reached, but no sample tells where in its object it is
  std::string condition;          ///< that should hold; "": not expressible
  psp::Satisfiability failure = psp::NoEstimate::NotExpressible;
  std::string witness; ///< a most probable state in which it fails, as text
  uint64_t samples = 0, states = 0;
  /// States that were seen to fail and lie outside of A_f: 0, unless the analysis is unsound or a
  /// name was matched with the wrong variable.
  uint64_t contradictions = 0;
  std::shared_ptr<const std::string> picture; ///< SVG, that of all reports at the place; null: none

  /// Eq. 6. Absent: there is no estimate.
  std::optional<double> raw() const;
  /// Calibrated (psp/Isotonic.h); 1 if and only if it was seen to fail.
  std::optional<double> probability() const;
  /// Theta 0: everything, also without an estimate. Theta 1: what was seen to fail.
  bool isReported(double theta) const;
};

/// Alarms of the abstract interpreter, or the reports of --reports. Throws UsageError.
int runTriage(const TriageFlags &flags, Context &context);

} // namespace fathom::tool
#endif
