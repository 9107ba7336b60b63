// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making a Calibration from campaigns whose truth is known. `bench/estimate` has the programs that
// collect such campaigns and write Calibration.def; users who fuzz other programs can make another.
#ifndef FATHOM_ESTIMATE_CALIBRATE_H
#define FATHOM_ESTIMATE_CALIBRATE_H

#include "estimate/Calibration.h"

#include <span>

namespace fathom::estimate {

/// A campaign whose truth is known.
struct CalibrationCase {
  uint32_t program = 0; ///< any number; cases with the same one are of one program
  CampaignFeatures features{};
  double observed = 0, elements = 0, reachable = 0;
};

struct CalibrationOptions {
  uint32_t folds = 10;
  /// Of the squared coefficients of standardised features, in units of a program.
  double ridge = 1;
  double shift = 1; ///< Calibration::shift
};

/// The line that makes the weighted deviance least: a logistic regression of the share of uncovered
/// elements that can be reached. A case weighs by (N - D)/S, so that an error counts by what it
/// does to S, and by 1 over the cases of its program. Newton's method; the ridge makes it unique.
/// REQUIRES at least one case. Cost: O(cases * features^2) a step.
Calibration::Line fitLine(std::span<const CalibrationCase> cases, double ridge);

/// Programs are dealt to the folds in turn, in the order of their first case. REQUIRES at least as
/// many programs as folds, folds >= 2.
Calibration fitCalibration(std::span<const CalibrationCase> cases,
                           const CalibrationOptions &options = {});

/// As a Calibration.def.
std::string calibrationText(const Calibration &calibration);

} // namespace fathom::estimate
#endif
