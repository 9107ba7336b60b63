// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far each estimate of a campaign can be trusted: rules that lower a grade, each with the
// remark that says why. docs/estimate.md lists them.
#ifndef FATHOM_ESTIMATE_TRUST_H
#define FATHOM_ESTIMATE_TRUST_H

#include "estimate/Incidence.h"

namespace fathom::estimate {

/// A judgement by rules, not a probability.
enum class Trust {
  Good, ///< precise, and nothing in the data speaks against it
  Fair, ///< imprecise, or something in the data speaks against it
  Poor, ///< hardly more than a hint: very imprecise, clipped, capped, contradicted, no interval
  None  ///< no value
};
const char *trustName(Trust trust); ///< "good", "fair", "poor", "none"

struct Analysis;

/// Sets trust, remark and regroupings of every estimate, and sorts them: most trusted first.
/// REQUIRES everything else that an analysis says of the units as they are.
/// Cost: without a matrix O(estimators); with one, two more estimates of all that are trusted.
void judge(Analysis &analysis, const Incidence &data);

} // namespace fathom::estimate
#endif
