// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chao2, its bias-corrected form and iChao2: how many elements are missing, from those covered in
// one unit (Q1) and in two (Q2). All three are lower bounds: exact when the elements that are rare
// are equally rare, too small when some are much rarer than others.
//
//   a, b, g   (t-1)/t, (t-3)/t, (t-3)/(t-1)
#ifndef FATHOM_ESTIMATE_CHAO2_H
#define FATHOM_ESTIMATE_CHAO2_H

#include "estimate/Estimate.h"

namespace fathom::estimate {

struct Chao2Options {
  /// The factor a of small samples. The classic form, which EstimateS and wiqid have, is without it
  /// where Q2 > 0.
  bool smallSampleFactor = true;
  FallbackForm fallback = FallbackForm::Sound;
};

/// D + a Q1^2 / (2 Q2); D + a Q1 (Q1-1) / 2 when Q2 = 0. Log-normal interval.
/// Source: [chao87]; the factor as in [chaocolwell17]. Cost: O(log distinct frequencies).
Estimate chao2(const FrequencyCounts &counts, const Chao2Options &options = {});

/// D + a Q1 (Q1-1) / (2 (Q2+1)): also defined without elements in two units, and less variable.
/// Source: [chao05]. Where Q2 = 0, EstimateS's form (no small-sample factor) takes chao2's
/// variance.
Estimate chao2BiasCorrected(const FrequencyCounts &counts, const Chao2Options &options = {});

/// Chao2 and a second-order term from Q3 and Q4 (Q4 = 0 is taken as 1).
///
/// Two variances. `DeltaCorrected` is the delta method with the gradient of the whole estimate; in
/// simulation it agrees with the true spread. `SpadeR` reproduces the package, which leaves out the
/// derivative of D and comes out too small, often by half; only for comparison with published
/// tables. Source: [chiu14].
enum class IChao2Variance { DeltaCorrected, SpadeR };
Estimate iChao2(const FrequencyCounts &counts, IChao2Variance form = IChao2Variance::DeltaCorrected,
                FallbackForm fallback = FallbackForm::Sound);

} // namespace fathom::estimate
#endif
