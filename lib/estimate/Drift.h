// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units that are not exchangeable. While a greybox fuzzer's corpus grows, elements become easier to
// reach: late units cover more than early ones did, elements that were singletons are covered again
// and again, and every estimator comes out too small. What can be done is to notice it, and to look
// at the last part of the campaign alone.
#ifndef FATHOM_ESTIMATE_DRIFT_H
#define FATHOM_ESTIMATE_DRIFT_H

#include "estimate/Estimate.h"
#include "estimate/SampleTests.h"

namespace fathom::estimate {

/// Whether units of the campaign's second half cover as many elements as those of the first.
struct DriftTest {
  double firstMean = 0, secondMean = 0; ///< elements covered per unit
  Comparison comparison;                ///< first half against second half
};
/// Nothing with fewer than eight units. Cost: O(incidences).
std::optional<DriftTest> driftTest(const IncidenceMatrix &matrix);

/// Only the units from `from` on, and only the elements that no earlier unit covered: the part of
/// the campaign that is not known beforehand.
struct Window {
  uint64_t knownBefore = 0; ///< elements that earlier units covered
  FrequencyCounts counts;   ///< of the others, in the window
};
/// REQUIRES from < t. Cost: O(incidences).
Window resetAt(const IncidenceMatrix &matrix, uint32_t from);

/// knownBefore + Chao2 of the rest. Assumes: units of the window are exchangeable, whatever was
/// before. Source: the idea of resetting in [residualrisk21].
Estimate resetChao2(const Window &window);

/// Starts of windows that have the last t/2, t/4, t/8, ... units, down to `smallest`.
std::vector<uint32_t> exponentialWindows(uint32_t units, uint32_t smallest);

} // namespace fathom::estimate
#endif
