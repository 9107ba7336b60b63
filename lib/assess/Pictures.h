// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pictures of a study one by one, and what they have in common. Private to Plots.cpp, which
// puts them together.
#ifndef FATHOM_ASSESS_PICTURES_H
#define FATHOM_ASSESS_PICTURES_H

#include "assess/Findings.h"
#include "assess/Panel.h"
#include "assess/Plan.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::assess {

/// The same colour for an estimator in all pictures, and no two with the same.
const char *colourOf(size_t estimator);
/// Attributes of its line.
std::string strokeOf(size_t estimator, double width);

/// Time on an x axis: in the largest of s, min, h that leaves two and more, or executions.
struct TimeScale {
  double perUnit = 1;
  std::string name;
};
TimeScale timeScale(const Plan &plan);

std::string percentLabel(double v);
std::string numberLabel(double v);

/// Mean bias over time of every estimator, and of what was covered: the mean over these programs,
/// of all of which the truth is known. REQUIRES as many programs as trials, in the same order.
std::string biasSvg(const std::vector<const ProgramFindings *> &programs,
                    const std::vector<const ProgramTrials *> &trials, const std::string &title,
                    const Plan &plan);
/// How often intervals hold the truth.
std::string coverageSvg(const Findings &findings);
/// Every trial's estimates at each length of units, a panel an estimator.
std::string unitSizesSvg(const ProgramTrials &program, const Plan &plan);
/// What was covered over time, mean estimates and intervals, a panel an estimator.
std::string accumulationSvg(const ProgramTrials &program, const Plan &plan);

} // namespace fathom::assess
#endif
