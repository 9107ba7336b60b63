// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nonparametric maximum likelihood estimators of richness: detection rates may vary in any way,
// and the mixture that explains the infrequent counts best says how many elements have rates too
// small to be seen. UNPMLE maximises an approximation of the unconditional likelihood, PNPMLE the
// conditional one with a penalty on the odds of being unseen beyond Chao's lower bound, which keeps
// it from exploding.
//
//   L      min(cutoff, largest frequency); elements in more units than that are simply added
//   f_j    elements in exactly j units, j <= L;  n = sum f_j
//   theta  odds of being unseen (PoissonMixture.h);  estimate = n (1 + theta) + (D - n)
//   c      Chao's lower bound of theta, f1^2/(2 f2 n); f1 (f1-1)/(2 n) where f2 = 0
#ifndef FATHOM_ESTIMATE_NPMLE_H
#define FATHOM_ESTIMATE_NPMLE_H

#include "estimate/Estimate.h"
#include "estimate/PoissonMixture.h"

#include "support/Rng.h"

namespace fathom::estimate {

/// How frequencies vary around an element's rate. The binomial model knows the number of units,
/// which matters below about twenty of them; the published estimators are Poisson.
enum class NpmleModel { Poisson, Binomial };

struct NpmleOptions {
  NpmleModel model = NpmleModel::Poisson;
  uint64_t cutoff = 15;
  /// Resamples for the standard error and the interval; 0: none of both (variance_unavailable).
  unsigned replicates = 200;
  uint64_t seed = 1;
  /// UNPMLE's likelihood can grow without bound as rates go to 0: theta is at most this, so that
  /// the estimate is at most 20 n with the status `capped`.
  double largestOdds = 19;
};

struct NpmleResult {
  Estimate estimate;
  /// The fit, where there was one to make; its log-likelihood is the conditional one.
  Mixture mixture;
  double odds = 0;      ///< theta after cap and lower bound
  double objective = 0; ///< log-likelihood minus penalty
  /// Interquartile range of the replicates / 1.349: some of them run to the cap, and the standard
  /// deviation is theirs then.
  std::optional<double> robustSe;
};

/// Maximises log-likelihood - log(theta/(1+theta))/2. Each step replaces the penalty, which is
/// concave, by its tangent, and so increases the objective; it may have several local maxima, and
/// the one that is reached from c is taken. Converged when a step changes theta by less than 1e-7
/// (theta + 0.01), or two thetas that close have changes of opposite directions. Interval:
/// percentiles of fits to samples of n elements from the fitted zero-truncated mixture. Source:
/// [norrispollock98], approximation [wanglindsay05]. Cost: about a millisecond per fit, whatever
/// the number of elements; times the replicates.
NpmleResult unpmle(const FrequencyCounts &counts, const NpmleOptions &options = {});

/// The unconditional likelihood itself, of n observed and a whole number of unseen elements: fits
/// the mixture with the unseen ones as a cell of their own, and takes from it how many there are,
/// as long as the likelihood grows. Within about one element of unpmle() on data without trouble.
/// Point only (variance_unavailable); capped at 20 n. Source: [norrispollock98]; the steps as in
/// SPECIES.
NpmleResult unpmleExact(const FrequencyCounts &counts, const NpmleOptions &options = {});

/// Maximises log-likelihood - max(theta - c, 0)^2/(2 c), which is strictly concave in theta; the
/// estimate is at least Chao's lower bound. Converged as PoissonMixture.h says. Interval:
/// percentiles of fits to samples from the mixture with the unseen elements in it. Source:
/// [wanglindsay05].
NpmleResult pnpmle(const FrequencyCounts &counts, const NpmleOptions &options = {});

} // namespace fathom::estimate
#endif
