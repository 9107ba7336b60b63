// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An estimator whose errors are known because they were measured: on fuzzing campaigns of generated
// programs of which it is known what can be reached. A regression says from what is observed of a
// campaign (CampaignFeatures.h) where between the covered elements and all elements the reachable
// ones end; how far it was off on programs that it had not seen becomes the interval.
//
//   D, N, S    covered elements, all that exist, reachable ones: D <= S <= N
//   x          features of the campaign
//   y          log((S - D + 1/2) / (N - S + 1/2)), what is predicted: the log-odds that an element
//   not
//              covered can be reached
//   m_k(x)     prediction of fold k, fitted without the programs of that fold
//   r_i        y_i - m_k(i)(x_i), the score of case i
//
// Prediction for x: the distribution of m_k(i)(x) + r_i over the cases i, each program with the
// same weight 1/(G + 1), and the weight that is left at both ends of what is possible. The estimate
// is its median, the interval at level 1 - a its quantiles a/2 and 1 - a/2. This is CV+ with signed
// scores, grouped by program. Source: [barber21] Sec. 3, [leebarber23] (the weights).
//
// Programs of other kinds: `shift` = G says that for them the odds of a score beyond any bound may
// be G times what they are for the calibration's (the marginal sensitivity model: [tan06],
// [jin23]). The quantiles are then a'/2 and 1 - a'/2, with a'/(1 - a') = a/(1 - a)/G.
//
// Guarantee, at G = 1: for a new program drawn like those of the calibration, with campaigns drawn
// like theirs, the interval holds S with probability at least 1 - 2a (less what [barber21] Theorem
// 4 takes off for folds), whatever the truth looks like, and about 1 - a in practice. On average
// over programs: not for each kind of program, and not for programs of another kind. Data outside
// of the range of the calibration's features get no value.
#ifndef FATHOM_ESTIMATE_CALIBRATION_H
#define FATHOM_ESTIMATE_CALIBRATION_H

#include "estimate/CampaignFeatures.h"
#include "estimate/Estimate.h"

namespace fathom::estimate {

/// What was learnt. Plain data: Calibration.def has that of the library, fitCalibration makes
/// others.
struct Calibration {
  /// m(x) = intercept + coefficients * x
  struct Line {
    double intercept = 0;
    CampaignFeatures coefficients{};
    double at(const CampaignFeatures &x) const;
  };
  /// A campaign of the calibration.
  struct Score {
    uint32_t program = 0; ///< 0 .. programs-1; cases of one program depend on each other
    uint32_t fold = 0;
    double value = 0;
    double share = 0;  ///< of the uncovered elements, those that can be reached
    double weight = 0; ///< that an error of the share has on S: (N - D)/S
  };
  uint32_t programs = 0;
  CampaignFeatures least{}, most{}; ///< of the features, over all cases
  double shift = 1;                 ///< how much other programs may differ, see above; >= 1
  std::vector<Line> folds;
  std::vector<Score> scores;

  bool empty() const { return scores.empty(); }
  /// The share that is right on average over the programs, an error counted by what it does to S:
  /// what fitLine would find without features. REQUIRES !empty().
  double share() const;
  /// Something of each campaign, each program with the weight 1/(programs + 1).
  std::vector<Band::Weighted> weighted(const std::function<double(const Score &)> &outcome) const;
  /// The first feature of which `x` is outside of the calibration's range and its margin.
  std::optional<Feature> outside(const CampaignFeatures &x) const;
};

/// That of Calibration.def: fuzzing campaigns of `fathom fuzz` on programs of `fathom synth`.
const Calibration &builtinCalibration();

/// y, and S from it. REQUIRES observed <= reachable <= elements.
double calibrationTarget(double observed, double elements, double reachable);
/// In [observed, elements].
double reachableFrom(double y, double observed, double elements);

/// How many elements there are, or what is to be said instead of an estimate that needs it.
struct KnownElements {
  double elements = 0;
  std::optional<Estimate> instead; ///< nothing covered, not known, or all covered
};
/// \param most  how many there are; without it, as many as the matrix lists, if it lists any that
///              were not covered.
KnownElements knownElements(const Incidence &data, std::optional<double> most);

/// \param elements  how many elements there are: reachable or not, covered or not. 0: the rows of
///                  the matrix, those that no unit covers included.
/// Statuses: NotEstimable when there is no matrix, when nothing says how many elements there are
/// (all rows are covered, no `elements`), fewer than kLeastUnits units, or when the data are
/// outside of the calibration's range; Fallback when all elements are covered. No standard error:
/// the distribution is not normal. Cost: O(incidences + rows + cases log cases).
Estimate calibrated(const Incidence &data, std::optional<double> elements = std::nullopt,
                    const Calibration &calibration = builtinCalibration());

} // namespace fathom::estimate
#endif
