// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the trials of a study say about the estimators. Pure: from what was measured of each trial
// to figures and verdicts.
//
//   RQ1  how accurate are estimates? Needs programs of which is known what can be reached: bias
//   over
//        time, imprecision, how often intervals hold the truth.
//   RQ2  do estimates change with the length of units, which they should not? Needs no truth: each
//        trial's units are joined, and estimates at different lengths are held against each other.
//
// Source: [assess25] Sec. IV (questions, metrics, tests).
#ifndef FATHOM_ASSESS_FINDINGS_H
#define FATHOM_ASSESS_FINDINGS_H

#include "assess/Measure.h"
#include "estimate/SampleTests.h"

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
  void add(bool hit) { hits += hit, ++of; }
  void add(const Share &more) { hits += more.hits, of += more.of; }
  std::optional<double> value() const;
  /// Wilson's 95 % interval; of nothing, [0, 1].
  estimate::Interval interval() const;
};

/// RQ1: one estimator on one program after so many units.
struct AccuracyAt {
  uint32_t units = 0;
  estimate::Accuracy accuracy; ///< meanBias and imprecision of values; see estimate::Accuracy
  double rawBias = 0;          ///< mean bias of raw values, which are not clipped
  uint64_t capped = 0;         ///< values that are a bound, not an estimate (Status::Capped)
  /// By width and level: of the intervals that there are, those that hold the truth.
  std::vector<Share> coverage[std::size(kWidths)];
};

/// RQ2: one estimator on one program with units of two lengths.
struct SizePair {
  uint32_t a = 1, b = 1; ///< a < b, in units of the campaign
  uint64_t trials = 0;   ///< that have a value at both
  Share mutual;          ///< each value lies in the other's interval (published, first level)
  Share overlap;         ///< the intervals meet
  Share mutualBlocks, overlapBlocks; ///< the same with intervals widened for blocks
  double shift = 0;                  ///< mean over trials of (value at b - value at a) / value at a
  double shiftShuffled = 0;          ///< the same with the units in random order
  std::optional<estimate::Comparison> test; ///< are the values at a and at b from one distribution?
  double adjusted = 1; ///< its p after Holm, over all pairs and programs of this estimator
  bool significant() const { return adjusted < 0.05; }
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
  NotRefuted, ///< nothing speaks against it; with few trials that is little
  Refuted
};
const char *outcomeName(Outcome outcome); ///< "not tested", "not refuted", "refuted"

/// What the study says about one estimator, over all programs. Refuted means: the 95 % interval of
/// a share, pooled over programs and trials, lies below what was claimed; or means differ
/// significantly after Holm's correction.
struct Verdict {
  Outcome accuracy = Outcome::NotTested;  ///< RQ1: truth lies in the interval as often as promised
  Outcome unitSizes = Outcome::NotTested; ///< RQ2: intervals overlap, means do not shift
  std::string accuracyReason, unitSizesReason;
  // RQ1, at the end of trials
  double meanBias = 0, meanAbsoluteBias = 0, worstBias = 0; ///< over programs of their mean bias
  double imprecision = 0;                                   ///< mean over programs
  uint64_t trials = 0, withValue = 0, capped = 0;           ///< on programs with a known truth
  std::vector<Share> coverage[std::size(kWidths)];
  // RQ2
  Share mutual, overlap, mutualBlocks, overlapBlocks; ///< at the first level
  uint64_t compared = 0, shifts = 0;                  ///< tests; those of them that are significant
  double worstShift = 0; ///< the largest mean shift of a pair, with its sign
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
