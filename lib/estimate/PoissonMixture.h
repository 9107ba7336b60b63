// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The maximum likelihood fit of a mixture of zero-truncated Poisson distributions whose mixing
// distribution is arbitrary: how often is an element covered, when detection rates vary in any way
// at all? The fit is discrete with few support points.
//
//   lambda_k, pi_k   support points and weights of *observed* elements, weights sum to 1
//   p(j; lambda)     lambda^j e^-lambda / (j! (1 - e^-lambda)), j >= 1
//   F(j)             sum_k pi_k p(j; lambda_k)
//   theta            sum_k pi_k / (e^lambda_k - 1), the odds of being unseen
//
// fit() maximises  sum_j f_j log F(j) - P(theta)  for a penalty P that is linear, or zero up to a
// point and quadratic from there on. The objective is concave in the mixing distribution, so that
//
//   G(lambda) = sum_j f_j (p(j; lambda)/F(j) - 1) - P'(theta) (1/(e^lambda - 1) - theta) <= 0
//
// for all lambda in (0, L] certifies the global maximum.
//
// Method: constrained Newton [wang07]. Each round adds the local maxima of G to the support, solves
// the quadratic approximation in all weights under the simplex constraint by active sets, searches
// the line, and drops what has no weight. Converges quadratically; a fit takes well under a
// millisecond.
#ifndef FATHOM_ESTIMATE_POISSONMIXTURE_H
#define FATHOM_ESTIMATE_POISSONMIXTURE_H

#include <span>
#include <vector>

namespace fathom::estimate {

/// How often an element with a certain rate (expected incidences) is covered.
struct RateKernel {
  enum class Kind {
    ZeroTruncatedPoisson,  ///< p(j; lambda) above; cells j = 1, 2, ...
    Poisson,               ///< with the unseen: cells j = 0, 1, ...; odds are 0
    ZeroTruncatedBinomial, ///< of `units` units, each with probability lambda/units; cells j = 1,
                           ///< 2, ...
  } kind = Kind::ZeroTruncatedPoisson;
  double units = 0;

  double odds(double rate) const;
  double oddsSlope(double rate) const; ///< derivative of odds by the rate
  /// Of the first `count` cells.
  void densities(double rate, size_t count, double *out) const;
  double logSlope(double rate,
                  size_t cell) const; ///< derivative of the logarithm of a cell's density
};

struct MixturePoint {
  double lambda, weight;
};

struct Mixture {
  RateKernel kernel;
  std::vector<MixturePoint> points; ///< ascending lambda, weights > 0 that sum to 1
  double odds = 0;                  ///< theta
  double logLikelihood = 0;         ///< sum f_j log F(j)
  double gap = 0;                   ///< the largest G: 0 at the maximum
  unsigned rounds = 0;
  bool converged = false;

  /// F of the kernel's first `count` cells.
  std::vector<double> cells(size_t count) const;
  /// The share of elements with j incidences among all, unseen ones too, at place j = 0..`count`.
  std::vector<double> unconditionalCells(size_t count) const;
};

/// P(theta) = slope * theta + max(theta - knee, 0)^2 / (2 width); no quadratic part when width is
/// 0.
struct OddsPenalty {
  double slope = 0, knee = 0, width = 0;
  double value(double odds) const;
  double first(double odds) const;
  double second(double odds) const;
};

/// One size of problem: rates up to L, the largest frequency that is looked at.
class MixtureFitter {
public:
  /// REQUIRES 1 <= largest < 100. Cost: O(largest) times the grid of 400 rates.
  explicit MixtureFitter(unsigned largest, RateKernel kernel = {});

  /// \param frequencies  of the kernel's cells up to `largest`; at least one > 0, need not be
  /// whole.
  /// \param start        points to begin with; empty: one point.
  /// Stops when G is at most 1e-13 of the sum of the f_j everywhere, when a round brings nothing
  /// any more (both count as converged, the second if G is at most 1e-6 of it), or after 500
  /// rounds.
  Mixture fit(std::span<const double> frequencies, const OddsPenalty &penalty,
              const std::vector<MixturePoint> &start = {}) const;

private:
  size_t cells_;
  RateKernel kernel_;
  std::vector<double> grid_;      ///< rates, ascending, evenly spaced in the logarithm
  std::vector<double> densities_; ///< cell c of grid_[i] at i * cells_ + c
  friend struct MixtureState;
};

} // namespace fathom::estimate
#endif
