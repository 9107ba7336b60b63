// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Npmle.h"

#include "estimate/Distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace fathom::estimate {

namespace {

/// What a fit, and every fit to a resample, ends with.
struct Solution {
  Mixture mixture;
  double odds = 0, objective = 0;
  bool capped = false, converged = true;
};

enum class Kind { Unconditional, Penalized };

class Problem {
public:
  Problem(unsigned largest, Kind kind, RateKernel kernel, double largestOdds)
      : fitter_(largest, kernel), kind_(kind), largestOdds_(largestOdds),
        units_(kernel.kind == RateKernel::Kind::ZeroTruncatedBinomial ? kernel.units : 0) {}

  /// REQUIRES f1 > 0 and something but singletons.
  Solution solve(const std::vector<double> &f, const std::vector<MixturePoint> &start) const {
    double n = std::accumulate(f.begin(), f.end(), 0.0);
    double bound = f[1] > 0 ? f[0] * f[0] / (2 * f[1] * n) : f[0] * (f[0] - 1) / (2 * n);
    if (units_ > 0) bound *= (units_ - 1) / units_; // Chao2's small-sample factor
    return kind_ == Kind::Unconditional ? unconditional(f, bound, start)
                                        : penalized(f, bound, start);
  }

private:
  Solution penalized(const std::vector<double> &f, double bound,
                     const std::vector<MixturePoint> &start) const {
    Solution solution;
    OddsPenalty penalty{/*slope=*/0, /*knee=*/bound, /*width=*/bound};
    solution.mixture = fitter_.fit(f, penalty, start);
    solution.converged = solution.mixture.converged;
    solution.odds = std::max(solution.mixture.odds, bound);
    solution.objective = solution.mixture.logLikelihood - penalty.value(solution.mixture.odds);
    return solution;
  }

  /// The fixed point of theta -> odds of the fit with the tangent at theta, that is reached from
  /// `bound`. The map is increasing, so the steps go one way: secants shorten the way, and one that
  /// goes too far is seen by the changed direction and leaves a bracket.
  Solution unconditional(const std::vector<double> &f, double bound,
                         const std::vector<MixturePoint> &start) const {
    Solution solution;
    std::vector<MixturePoint> points = start;
    auto step = [&](double odds) {
      OddsPenalty tangent{/*slope=*/1 / (2 * odds * (1 + odds)), 0, 0};
      solution.mixture = fitter_.fit(f, tangent, points);
      points = solution.mixture.points;
      return std::min(solution.mixture.odds, largestOdds_) - odds;
    };
    auto done = [](double odds, double change) { return std::fabs(change) < 1e-7 * (1e-2 + odds); };

    double here = std::min(bound, largestOdds_), change = step(here);
    bool up = change > 0, bracketed = false;
    double other = 0, otherChange = 0; // the bracket's far end
    double last = here, lastChange = change;
    unsigned rounds = 0;
    for (; rounds < 300 && !done(here, change); ++rounds) {
      double next;
      if (bracketed) {
        next = here - change * (other - here) / (otherChange - change);
        // Regula falsi can creep: every third time, the middle.
        if (rounds % 3 == 2) next = (here + other) / 2;
      } else {
        next = here + change;
        double slope = here != last ? (change - lastChange) / (here - last) : 0;
        if (slope < 0) {
          double jump = here - change / slope;
          if (up ? jump > next : jump < next) next = jump;
        }
        next = std::clamp(next, here / 10, largestOdds_);
      }
      double nextChange = step(next);
      if (!done(next, nextChange) && (nextChange > 0) != up) {
        other = next;
        otherChange = nextChange;
        bracketed = true;
      } else {
        last = here;
        lastChange = change;
        here = next;
        change = nextChange;
      }
      if (bracketed && std::fabs(other - here) < 1e-7 * (1e-2 + here)) break;
    }
    solution.converged = rounds < 300;
    solution.odds = here;
    solution.capped = here >= largestOdds_ * (1 - 1e-9);
    solution.objective =
        solution.mixture.logLikelihood - 0.5 * std::log(solution.odds / (1 + solution.odds));
    return solution;
  }

  MixtureFitter fitter_;
  Kind kind_;
  double largestOdds_;
  double units_; ///< 0 in the Poisson model
};

} // namespace

/// A sample of `n` from these probabilities (they need not sum to 1), as counts.
static std::vector<double> multinomial(uint64_t n, const std::vector<double> &probabilities,
                                       Rng &rng) {
  double rest = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  std::vector<double> counts(probabilities.size(), 0);
  for (size_t i = 0; i < probabilities.size() && n > 0; ++i) {
    double p = i + 1 == probabilities.size() ? 1 : std::min(1.0, probabilities[i] / rest);
    uint64_t drawn = binomial(n, p, rng);
    counts[i] = static_cast<double>(drawn);
    n -= drawn;
    rest -= probabilities[i];
  }
  return counts;
}

static void bootstrap(NpmleResult &result, const Problem &problem, Kind kind, double n, double rest,
                      size_t largest, const NpmleOptions &options) {
  Rng rng(options.seed, /*stream=*/kind == Kind::Unconditional ? 11 : 12);
  std::vector<double> cells = kind == Kind::Unconditional
                                  ? result.mixture.cells(largest)
                                  : result.mixture.unconditionalCells(largest);
  auto size = static_cast<uint64_t>(kind == Kind::Unconditional ? n : n * (1 + result.odds));
  std::vector<double> replicates;
  // Samples on which nothing can be fitted are drawn again; where most are such there is no
  // interval.
  for (unsigned draws = 0;
       replicates.size() < options.replicates && draws < 20 * options.replicates; ++draws) {
    std::vector<double> f = multinomial(size, cells, rng);
    if (kind == Kind::Penalized) f.erase(f.begin());
    if (f[0] == 0 || f[1] == 0) continue;
    double drawn = std::accumulate(f.begin(), f.end(), 0.0);
    Solution solution = problem.solve(f, result.mixture.points);
    replicates.push_back(drawn * (1 + solution.odds) + rest);
  }
  Estimate &estimate = result.estimate;
  if (replicates.size() < options.replicates) {
    estimate.status = Status::VarianceUnavailable;
    estimate.reason = "too few resamples had elements in one and in two units";
    return;
  }
  double mean = 0, squares = 0;
  for (double r : replicates) mean += r / static_cast<double>(replicates.size());
  for (double r : replicates) squares += (r - mean) * (r - mean);
  const double se = std::sqrt(squares / static_cast<double>(replicates.size() - 1));
  // One element in one unit and one in two: whatever can be fitted is the same sample again.
  if (se <= 1e-9 * mean) {
    estimate.status = Status::VarianceUnavailable;
    estimate.reason = "too few elements in one and in two units: all resamples are alike";
    return;
  }
  estimate.se = se;
  double observed = n + rest;
  for (double &r : replicates) r = std::max(r, observed);
  std::sort(replicates.begin(), replicates.end());
  result.robustSe = (quantile(replicates, 0.75) - quantile(replicates, 0.25)) / 1.349;
  estimate.band = Band::percentile(std::move(replicates));
}

namespace {
/// The infrequent part of the counts, or the answer that needs no fit.
struct Infrequent {
  std::optional<Estimate> trivial;
  std::vector<double> f; ///< f_j at j - 1
  double n = 0, observed = 0;
};
} // namespace

static Infrequent infrequentOf(const FrequencyCounts &counts, uint64_t cutoff) {
  Infrequent result;
  result.observed = static_cast<double>(counts.observed());
  result.trivial = trivialOrNotEstimable(counts);
  if (result.trivial) return result;
  uint64_t q1 = counts.count(1), q2 = counts.count(2);
  if (q1 == 0 || (q1 == 1 && q2 == 0)) {
    result.trivial = logNormalEstimate(counts, result.observed, 0);
    return result;
  }
  uint64_t largest = std::min(cutoff, counts.frequencies().back().first);
  result.f.assign(largest, 0);
  for (auto [k, count] : counts.frequencies())
    if (k <= largest) result.f[k - 1] = static_cast<double>(count);
  result.n = std::accumulate(result.f.begin(), result.f.end(), 0.0);
  if (result.n == result.f[0])
    result.trivial = notEstimable(fmt::format(
        "no element was covered in two to {} units: nothing tells of the rates", cutoff));
  return result;
}

static NpmleResult npmle(const FrequencyCounts &counts, const NpmleOptions &options, Kind kind) {
  NpmleResult result;
  Infrequent data = infrequentOf(counts, options.cutoff);
  if (data.trivial) {
    result.estimate = *data.trivial;
    return result;
  }
  double n = data.n, rest = data.observed - data.n;
  RateKernel kernel;
  if (options.model == NpmleModel::Binomial)
    kernel = {RateKernel::Kind::ZeroTruncatedBinomial, static_cast<double>(counts.units())};
  Problem problem(static_cast<unsigned>(data.f.size()), kind, kernel, options.largestOdds);
  Solution solution = problem.solve(data.f, {});
  result.mixture = solution.mixture;
  result.odds = solution.odds;
  result.objective = solution.objective;
  Estimate &estimate = result.estimate;
  estimate.raw = n * (1 + solution.odds) + rest;
  if (!solution.converged) {
    estimate.reason = "the fit did not converge";
    return result;
  }
  estimate.value = estimate.raw;
  estimate.status = solution.capped ? Status::Capped : Status::Ok;
  if (solution.capped)
    estimate.reason = fmt::format("the likelihood grows without bound; stopped at {:g} times the "
                                  "infrequent elements",
                                  1 + options.largestOdds);
  if (options.replicates >= 2) {
    bootstrap(result, problem, kind, n, rest, data.f.size(), options);
  } else if (!solution.capped) {
    estimate.status = Status::VarianceUnavailable;
    estimate.reason = "resampling was not asked for";
  }
  return result;
}

NpmleResult unpmleExact(const FrequencyCounts &counts, const NpmleOptions &options) {
  NpmleResult result;
  Infrequent data = infrequentOf(counts, options.cutoff);
  if (data.trivial) {
    result.estimate = *data.trivial;
    return result;
  }
  double n = data.n, rest = data.observed - n, most = std::ceil(options.largestOdds * n);
  MixtureFitter fitter(static_cast<unsigned>(data.f.size()), {RateKernel::Kind::Poisson, 0});
  std::vector<double> f(data.f.size() + 1);
  std::copy(data.f.begin(), data.f.end(), f.begin() + 1);
  double unseen = std::max(1.0, std::floor(data.f[0] / 2));
  result.objective = -std::numeric_limits<double>::infinity();
  bool capped = false;
  Mixture mixture;
  // Each step needs one fit, which starts where the last one ended.
  for (;;) {
    f[0] = unseen;
    mixture = fitter.fit(f, {}, mixture.points);
    double objective = std::lgamma(n + unseen + 1) - std::lgamma(unseen + 1) - std::lgamma(n + 1) +
                       mixture.logLikelihood;
    if (!(objective > result.objective)) break;
    result.objective = objective;
    result.mixture = mixture;
    double missed = mixture.cells(1)[0];
    result.odds = missed / (1 - missed);
    double next = std::floor(n * result.odds) + 1;
    if (next == unseen) break;
    capped = next > most;
    if (capped) break;
    unseen = next;
  }
  result.odds = std::min(result.odds, options.largestOdds);
  Estimate &estimate = result.estimate;
  estimate.raw = estimate.value = n * (1 + result.odds) + rest;
  estimate.status = capped ? Status::Capped : Status::VarianceUnavailable;
  estimate.reason =
      capped ? "the likelihood grows without bound" : "this form has no standard error";
  return result;
}

NpmleResult unpmle(const FrequencyCounts &counts, const NpmleOptions &options) {
  return npmle(counts, options, Kind::Unconditional);
}

NpmleResult pnpmle(const FrequencyCounts &counts, const NpmleOptions &options) {
  return npmle(counts, options, Kind::Penalized);
}

} // namespace fathom::estimate
