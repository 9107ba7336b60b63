// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom psp calibrate and assess: alarms whose truth is known (bench/alarms measures them).
#ifndef FATHOM_TOOLS_PSPLABELS_H
#define FATHOM_TOOLS_PSPLABELS_H

#include "Command.h"

namespace fathom::tool {

struct CalibrateFlags {
  std::string labels, output;
};

struct AssessLabelsFlags {
  std::string labels;
  std::string fit;       ///< calibrate on these instead of by what ships
  std::string plot;      ///< an SVG file to write
  bool raw = false;      ///< do not calibrate
  bool leaveOut = false; ///< judge each program by a calibration on the others
};

/// Writes lib/psp/Calibration.def. Throws UsageError: a file that cannot be read or written, or has
/// no alarms that were reached and not seen to fail.
int runCalibrate(const CalibrateFlags &flags);
/// Prints how good the probabilities are. Throws UsageError, as above.
int runAssessLabels(const AssessLabelsFlags &flags);

} // namespace fathom::tool
#endif
