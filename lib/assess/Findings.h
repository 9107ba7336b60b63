// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the trials of a study say about the estimators. Pure: from what was measured of each trial
// to figures and verdicts.
//
//   RQ1  how accurate are estimates? Needs programs whose reachable code is known: bias
//        over time, imprecision, how often intervals hold the truth.
//   RQ2  do estimates change with the length of units, which they should not? Needs no truth: each
//        trial's units are joined, and estimates at different lengths are held against each other.
//
// Source: [assess25] Sec. IV (questions, metrics, tests).
#ifndef FATHOM_ASSESS_FINDINGS_H
#define FATHOM_ASSESS_FINDINGS_H

#include "assess/Measure.h"
#include "estimate/SampleTests.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace fathom::assess {

/// The finished trials of one program.
struct ProgramTrials {
  std::string name;
  std::optional<uint64_t> truth; ///< elements that can be reached, where it is known
  std::vector<Measured> trials;
};

/// A share with what is needed to say how sure it is.
struct Share {
  uint64_t hits = 0, of = 0;
  /// The effective sample size, where it is below `of` because the trials are correlated.
  std::optional<double> effective = std::nullopt;
  void add(bool hit) { hits += hit, ++of; }
  std::optional<double> value() const;
  double effectiveSize() const { return effective.value_or(static_cast<double>(of)); }
  /// Clopper and Pearson's 95 % interval for effectiveSize() trials; [0, 1] without trials.
  estimate::Interval interval() const;
};
/// The share over all programs together. Trials of one program are alike
/// (estimate::effectiveSampleSize).
/// \param trials  upper bound of the effective sample size, where several comparisons share a trial
Share pooled(const std::vector<Share> &programs, uint64_t trials = UINT64_MAX);

/// Below so many independent trials there is no verdict: an interval that holds nine of ten truths
/// misses two of two once in a hundred studies, and a study looks at a dozen estimators.
inline constexpr double kLeastTrials = 10;

/// RQ1: one estimator on one program after so many units.
struct AccuracyAt {
  uint32_t units = 0;
  estimate::Accuracy accuracy; ///< meanBias and imprecision of values; see estimate::Accuracy
  double rawBias = 0;          ///< mean bias of raw values, which are not clipped
  uint64_t capped = 0;         ///< values that are a bound, not an estimate (Status::Capped)
  /// By width and level: the share of the intervals that hold the truth.
  std::vector<Share> coverage[std::size(kWidths)];
};

/// Estimates that move by less are taken for the same (as bench/estimate's tests of equivalence
/// do).
inline constexpr double kNegligibleShift = 0.02;

/// RQ2: one estimator on one program with units of two lengths.
struct SizePair {
  uint32_t a = 1, b = 1; ///< a < b, in units of the campaign
  uint64_t trials = 0;   ///< that have a value at both
  Share mutual;          ///< each value lies in the other's interval (published, first level)
  Share overlap;         ///< the intervals meet
  Share mutualBlocks, overlapBlocks; ///< the same with intervals widened for blocks
  /// Mean over trials of (value at b - value at a) / value at a; the same with the units in random
  /// order. Nothing without values.
  std::optional<double> shift, shiftShuffled;
  /// Are the values at a and at b from one distribution? Treats them as values of different
  /// campaigns.
  std::optional<estimate::Comparison> test;
  /// Does a campaign's value at b differ from its value at a? The verdict uses this test.
  std::optional<estimate::Comparison> paired;
  double adjusted = 1; ///< p of `paired` after Holm, over all pairs and programs of this estimator
  bool significant() const { return adjusted < 0.05; }
  /// Paired trials also show shifts that are too small to matter.
  bool refutes() const { return significant() && shift && std::fabs(*shift) >= kNegligibleShift; }
};

struct ProgramFindings {
  std::string name;
  std::optional<uint64_t> truth;
  uint64_t trials = 0;
  double meanObserved = 0; ///< covered in the end
  /// Of the trials in which the stop rule (singletons at most doubletons, three units in a row) was
  /// met: how many, after how many units on average, and which share of the truth was covered then.
  uint64_t stopped = 0;
  double stopUnits = 0, stopCovered = 0;
  std::vector<std::vector<AccuracyAt>> accuracy; ///< by estimator and time; empty without a truth
  std::vector<std::vector<SizePair>> pairs;      ///< by estimator; every two sizes
};

enum class Outcome {
  NotTested,  ///< no data for it
  TooFew,     ///< fewer than kLeastTrials
  NotRefuted, ///< nothing speaks against it; with few trials that is little
  Refuted
};
const char *outcomeName(Outcome outcome); ///< "not tested", "too few trials", ...

/// One estimator against the constant share (estimate/Baselines.h) on the same trials: those in
/// which both have a value at the end.
struct Paired {
  uint64_t trials = 0, programs = 0;
  /// Absolute error less that of the constant share, mean over programs of their trials' mean:
  /// below 0 is better. Nothing without such trials.
  std::optional<double> difference;
  /// 95 %, Student's t over the programs, whose trials are alike. Nothing for one program.
  std::optional<estimate::Interval> interval;
};

/// What the study says about one estimator, over all programs. Refuted means: the 95 % interval of
/// a share, pooled over programs and trials, lies below what was claimed; or means differ
/// significantly after Holm's correction.
struct Verdict {
  Outcome accuracy = Outcome::NotTested;  ///< RQ1: truth lies in the interval as often as promised
  Outcome unitSizes = Outcome::NotTested; ///< RQ2: intervals overlap, means do not shift
  /// RQ2 by the stricter criterion: each estimate lies in the other's interval.
  Outcome mutualContainment = Outcome::NotTested;
  std::string accuracyReason, unitSizesReason, mutualContainmentReason;
  // RQ1, at the end of trials
  double meanBias = 0, meanAbsoluteBias = 0, worstBias = 0; ///< over programs of their mean bias
  std::optional<double> imprecision;              ///< mean over programs with two values and more
  uint64_t trials = 0, withValue = 0, capped = 0; ///< on programs with a known truth
  std::vector<Share> coverage[std::size(kWidths)];
  struct OverTime {
    double share = 0;                     ///< of the trial
    std::optional<double> bias, absolute; ///< as meanBias and meanAbsoluteBias, then
  };
  std::vector<OverTime> overTime; ///< by point
  Paired paired;
  // RQ2
  Share mutual, overlap, mutualBlocks, overlapBlocks; ///< at the first level
  uint64_t compared = 0, shifts = 0; ///< tests; those of them that are significant, not negligible
  /// The largest mean shift of a pair, with its sign; nothing where no pair has values.
  std::optional<double> worstShift;
};

struct Findings {
  MeasureOptions options;
  std::vector<ProgramFindings> programs;
  std::vector<Verdict> verdicts; ///< by estimator, in the order of estimate::allEstimators()
};

/// REQUIRES trials measured with these options. Programs without trials are left out.
/// Determinism: pure. Cost: O(programs * trials * estimators * (points + sizes^2)).
Findings judge(const std::vector<ProgramTrials> &programs, const MeasureOptions &options);

} // namespace fathom::assess
#endif
