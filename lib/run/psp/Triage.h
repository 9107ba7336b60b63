// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom psp triage: the probability that an alarm is real.
#ifndef FATHOM_RUN_TRIAGE_H
#define FATHOM_RUN_TRIAGE_H

#include "psp/Satisfiability.h"
#include "run/scan/ScanOptions.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::run {

struct TriageOptions {
  ScanOptions scan; ///< how alarms are found: as by fathom scan --assertions
  std::string campaign;
  std::string reports;  ///< a file of reports to judge instead; "": none
  std::string pictures; ///< a folder for them, made when there is one
  double theta = 0.8;   ///< alarms with at least this probability are reported
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

/// Most probable first; equally probable ones by their places.
struct Triage {
  std::vector<Alarm> alarms;
  std::vector<std::string> pictures; ///< by alarm: the name of its file; "": it has none
  bool sampledAccesses = false;      ///< the campaign did

  /// How far the probabilities tell alarms apart.
  struct Apart {
    size_t seen = 0;      ///< to fail
    size_t estimated = 0; ///< with an estimate, and not seen to fail
    size_t different = 0; ///< probabilities of these
    size_t without = 0;   ///< an estimate
  };
  Apart apart() const;
};

/// Judges alarms of the abstract interpreter, or the reports of a file, and writes pictures. A
/// UsageError: one of the inputs cannot be read, or they are not of one program.
llvm::Expected<Triage> triage(const TriageOptions &options, Session &session);

} // namespace fathom::run
#endif
