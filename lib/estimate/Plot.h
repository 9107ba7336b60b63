// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of an analysis, as SVG: on the left what was covered unit by unit, the rarefaction
// curve and its extrapolation with their bands; on the right every estimate with its interval, on
// the same scale.
#ifndef FATHOM_ESTIMATE_PLOT_H
#define FATHOM_ESTIMATE_PLOT_H

#include "estimate/Analysis.h"

#include <string>

namespace fathom::estimate {

/// REQUIRES an analysis with a curve. The scale is made for what is covered and for estimates that
/// are trusted at all; intervals that leave it end in an arrow.
std::string analysisSvg(const Analysis &analysis, const std::string &noun = "elements");

} // namespace fathom::estimate
#endif
