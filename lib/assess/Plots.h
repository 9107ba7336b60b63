// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pictures of a study, as SVG.
//
//   bias.svg                 mean bias over time, over all programs of which the truth is known
//   coverage.svg             how often intervals hold the truth, by estimator, level and width
//   NAME-bias.svg            mean bias over time on one program
//   NAME-unit-sizes.svg      estimates against the length of units, one panel for each estimator
//   NAME-accumulation.svg    what was covered, estimates and their bands over time, one panel for
//                            each estimator
#ifndef FATHOM_ASSESS_PLOTS_H
#define FATHOM_ASSESS_PLOTS_H

#include "assess/Findings.h"
#include "assess/Plan.h"

#include <string>
#include <utility>
#include <vector>

namespace fathom::assess {

/// Returns pairs of a file name and an SVG text.
/// REQUIRES: `programs` are those that judge() got, in the same order, without those that have no
/// trial.
std::vector<std::pair<std::string, std::string>> plots(const std::vector<ProgramTrials> &programs,
                                                       const Findings &findings, const Plan &plan);

} // namespace fathom::assess
#endif
