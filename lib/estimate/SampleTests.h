// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests on samples of numbers, for studies that compare estimators or campaigns: are two means the
// same, is a sample normal? As R computes them.
#ifndef FATHOM_ESTIMATE_SAMPLETESTS_H
#define FATHOM_ESTIMATE_SAMPLETESTS_H

#include "estimate/Estimate.h"

#include <span>
#include <vector>

namespace fathom::estimate {

struct WelchTest {
  double statistic = 0, freedom = 0, difference = 0, standardError = 0;
  double p = 1; ///< two-sided
  /// Of the difference of means.
  Interval interval(double level) const;
};
/// Means of two samples whose variances may differ. Both variances 0: p is 1 for equal means, else
/// 0. Errors: nothing when a sample has fewer than two values.
std::optional<WelchTest> welchTest(std::span<const double> a, std::span<const double> b);

struct MannWhitneyTest {
  double u = 0;       ///< pairs in which a's value is larger, ties count half
  double p = 1;       ///< exact without ties and with fewer than 50 values each, otherwise normal
  double pNormal = 1; ///< normal approximation with continuity correction
  bool exact = false;
  double effect = 0.5; ///< Vargha and Delaney's A: u / (m n)
};
/// Errors: nothing when a sample is empty. Cost: O((m + n) log), exact O(m^2 n^2).
std::optional<MannWhitneyTest> mannWhitneyTest(std::span<const double> a,
                                               std::span<const double> b);

struct NormalityTest {
  double statistic = 0, p = 0;
};
/// Source: [royston95] (AS R94). Nothing outside of 3 to 5000 values; a constant sample has p = 0.
std::optional<NormalityTest> shapiroWilk(std::span<const double> sample);
/// Source: [stephens86], with mean and variance estimated. Nothing below 8 values; a constant
/// sample has p = 0.
std::optional<NormalityTest> andersonDarling(std::span<const double> sample);

struct Comparison {
  double p = 1;
  bool byRanks = false; ///< Mann-Whitney instead of Welch
  double effect = 0.5;  ///< Vargha and Delaney's A
  /// Of the tests of normality, where there are enough values for one.
  std::optional<double> normalityA, normalityB;
};
/// Welch where Shapiro-Wilk does not reject normality of either sample (5 %), otherwise
/// Mann-Whitney.
std::optional<Comparison> compareSamples(std::span<const double> a, std::span<const double> b);

struct SignedRankTest {
  double v = 0; ///< sum of the ranks of positive values
  double p = 1; ///< two-sided; exact with fewer than 50 values, otherwise normal
  bool exact = false;
};
/// Wilcoxon's, that values are symmetric about 0. Zeros are left out: of zeros alone p is 1. Ties
/// share their mean rank, and the exact p is that of these ranks (R approximates where there are
/// ties). Cost: exact O(n^3).
SignedRankTest signedRankTest(std::span<const double> values);

/// Two values of each of several campaigns: do they differ on average? Student's t of the
/// differences where Shapiro-Wilk does not reject their normality (5 %), otherwise Wilcoxon's
/// signed ranks. What campaigns differ in from each other does not count, as it does for
/// compareSamples. effect: the share of the pairs in which a's value is larger, equal ones count
/// half. Nothing with fewer than two pairs. REQUIRES samples of one size.
std::optional<Comparison> comparePairs(std::span<const double> a, std::span<const double> b);

/// p-values adjusted for being several (Holm 1979), in the same order.
std::vector<double> holm(std::span<const double> p);

} // namespace fathom::estimate
#endif
