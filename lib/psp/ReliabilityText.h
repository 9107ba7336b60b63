// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How good predictions are, for people.
#ifndef FATHOM_PSP_RELIABILITYTEXT_H
#define FATHOM_PSP_RELIABILITYTEXT_H

#include "psp/Reliability.h"

#include <string>
#include <vector>

namespace fathom::psp {

/// The bins that have alarms, and how many of them hold their prediction.
std::string binsText(const std::vector<Labelled> &alarms);

/// What comes of thresholds. `unscored`: alarms without an estimate, which are not reported.
/// `which`: what these alarms are.
std::string decisionsText(const std::vector<Labelled> &alarms, const Confusion &unscored,
                          const char *which);

} // namespace fathom::psp
#endif
