// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The incidence coverage-based estimators ICE and ICE1: elements in more than k0 units are taken
// for all there are of their kind; the number of the others is divided by their estimated sample
// coverage, and corrected by how much their detection probabilities seem to vary.
//
//   k0        cutoff between infrequent and frequent
//   D_r, D_f  elements with Y <= k0, and with Y > k0
//   n, s      sums over k <= k0 of k Q_k, and of k (k-1) Q_k
//   C         sample coverage of the infrequent elements
//   m         t/(t-1) s / (n (n-1))
//   gamma^2   squared coefficient of variation of the detection probabilities
#ifndef FATHOM_ESTIMATE_ICE_H
#define FATHOM_ESTIMATE_ICE_H

#include "estimate/Estimate.h"

namespace fathom::estimate {

struct IceOptions {
  uint64_t cutoff = 10; ///< k0
  FallbackForm fallback = FallbackForm::Sound;
  /// In place of t: SpadeR given a matrix takes the number of units that hold an infrequent
  /// element.
  std::optional<uint64_t> units;
  /// The coverage has another formula where Q2 = 0. The packages differentiate the one for Q2 > 0
  /// even then, and so do we unless asked otherwise; the effect is small.
  bool exactGradientWithoutDoubletons = false;
};

/// D_f + D_r/C + (Q1/C) gamma^2, log-normal interval from the delta method.
/// Source: [leechao94], coverage as in [chaochiu16].
Estimate ice(const FrequencyCounts &counts, const IceOptions &options = {});

/// ICE with a gamma^2 that is meant for very unequal probabilities; equal to it where gamma^2 = 0.
/// Source: [gotellichao13].
Estimate ice1(const FrequencyCounts &counts, const IceOptions &options = {});

/// The form of EstimateS (Chazdon et al. 1998): C = 1 - Q1/n, and t is the number of units that
/// contain an infrequent element. Point only. `Square` has n^2 in the coefficient of variation
/// (EstimateS and wiqid), `Product` n (n-1). All infrequent elements singletons:
/// chao2BiasCorrected.
enum class IceDenominator { Square, Product };
Estimate iceEstimateS(const FrequencyCounts &counts, uint64_t infrequentUnits,
                      IceDenominator denominator = IceDenominator::Square, uint64_t cutoff = 10);

/// gamma: the estimated coefficient of variation of the infrequent elements' detection
/// probabilities; 0 when they seem equal. A lower bound itself.
double infrequentVariation(const FrequencyCounts &counts, uint64_t cutoff = 10);

} // namespace fathom::estimate
#endif
