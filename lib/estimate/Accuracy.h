// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How good were estimates whose truth is known (bias, imprecision, interval coverage), and do the
// estimates of one campaign agree when its sampling units are made larger?
#ifndef FATHOM_ESTIMATE_ACCURACY_H
#define FATHOM_ESTIMATE_ACCURACY_H

#include "estimate/Estimate.h"

#include <span>

namespace fathom::estimate {

/// Of the share successes/trials. REQUIRES successes <= trials, trials > 0.
Interval wilson(uint64_t successes, uint64_t trials, double level);
/// The exact one: holds the share at least as often as `level`, however few trials there are. Of
/// trials that are worth fewer independent ones, numbers need not be whole.
Interval clopperPearson(double successes, double trials, double level);

/// Successes of trials, some of them of the same kind (of one program).
struct Tally {
  uint64_t successes = 0, trials = 0;
};
/// The number of independent trials with the same information (n over the design effect): n / (1 +
/// (m - 1) rho), m the mean size of a cluster weighted by size, rho how alike the trials of a
/// cluster are (intraclass correlation, ANOVA estimate, 0 to 1). As many as there are when no
/// cluster has two, or there is only one, whose trials say nothing of others.
/// \param clusters  any number, empty ones count for nothing.
/// Source: [korn98] (Clopper and Pearson's interval on an effective sample size).
double effectiveSampleSize(std::span<const Tally> clusters);

/// What accuracy and agreement need of an estimate: it can be stored, which a Band cannot.
struct Answer {
  std::optional<double> value;
  std::optional<Interval> interval; ///< at one level
};
/// \param raw  the raw value, which is not clipped at what was observed.
Answer answerOf(const Estimate &estimate, double level, bool raw = false);

/// Trials of one estimator. Those without a value or without an interval are counted apart and
/// never dropped silently.
struct Accuracy {
  uint64_t trials = 0, withValue = 0, withInterval = 0, covered = 0;
  double meanBias = 0;              ///< mean of (estimate - truth)/truth
  double imprecision = 0;           ///< their variance, with K - 1
  double populationImprecision = 0; ///< their variance, with K
  double medianBias = 0;
  /// covered/withInterval; nothing when there was no interval.
  std::optional<double> coverage() const;
};

/// \param truth  the number of elements that can be reached, > 0.
Accuracy accuracy(std::span<const Answer> trials, double truth);
/// \param truth  the number of elements that can be reached, > 0.
/// \param raw    take raw values, which are not clipped at what was observed.
Accuracy accuracy(std::span<const Estimate> trials, double truth, double level, bool raw = false);

/// Whether two estimates of the same quantity agree.
struct Agreement {
  bool mutual = false;  ///< each value lies in the other's interval
  bool overlap = false; ///< the intervals have a point in common
};
/// Nothing when one of them has no value or no interval.
std::optional<Agreement> agreement(const Answer &a, const Answer &b);
std::optional<Agreement> agreement(const Estimate &a, const Estimate &b, double level);

} // namespace fathom::estimate
#endif
