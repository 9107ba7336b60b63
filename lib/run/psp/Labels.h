// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom psp calibrate and assess: labelled alarms, as ./dev bench alarms writes them.
#ifndef FATHOM_RUN_LABELS_H
#define FATHOM_RUN_LABELS_H

#include "psp/Isotonic.h"
#include "psp/Reliability.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::run {

struct LabelsRequest {
  std::string labels; ///< a file of labelled alarms
  // At most one of these; none: the built-in calibration.
  std::string fit;       ///< calibrate on the alarms of this file
  bool leaveOut = false; ///< judge each program by a calibration on all others
  bool raw = false;      ///< do not calibrate
};

struct AssessedLabels {
  uint64_t alarms = 0, programs = 0, real = 0, seen = 0;
  std::vector<psp::Labelled> predictions; ///< of alarms with an estimate
  psp::Confusion unscored;                ///< alarms without one, which are not reported

  /// The alarms that the campaign did not see fail.
  std::vector<psp::Labelled> unseen() const;
};

/// Fits a calibration to labelled alarms. A UsageError: the file cannot be used.
llvm::Expected<psp::Isotonic> calibrate(const std::string &labels);
/// Predicts each alarm. A UsageError: as above, or no alarm has an estimate.
llvm::Expected<AssessedLabels> assessLabels(const LabelsRequest &request);

} // namespace fathom::run
#endif
