// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/PoissonMixture.h"

#include "estimate/SimplexQuadratic.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace fathom::estimate {

static constexpr double kSmallestRate = 1e-4;
static constexpr size_t kGrid = 400;

double RateKernel::odds(double rate) const {
  switch (kind) {
  case Kind::Poisson: return 0; // the unseen are a cell of their own
  case Kind::ZeroTruncatedPoisson: return 1 / std::expm1(rate);
  case Kind::ZeroTruncatedBinomial: return 1 / std::expm1(-units * std::log1p(-rate / units));
  }
  return 0;
}

double RateKernel::oddsSlope(double rate) const {
  if (kind == Kind::Poisson) return 0;
  // With o = 1/(e^u - 1): -u' e^u / (e^u - 1)^2, where u is the rate or -t log(1 - rate/t).
  double o = odds(rate), inner = 1;
  if (kind == Kind::ZeroTruncatedBinomial) inner = 1 / (1 - rate / units);
  return -inner * o * (1 + o);
}

void RateKernel::densities(double rate, size_t count, double *out) const {
  switch (kind) {
  case Kind::Poisson: {
    double p = std::exp(-rate);
    for (size_t j = 0; j < count; ++j) {
      out[j] = p;
      p *= rate / static_cast<double>(j + 1);
    }
    break;
  }
  case Kind::ZeroTruncatedPoisson: {
    double p = rate * odds(rate); // j = 1: lambda e^-lambda / (1 - e^-lambda)
    for (size_t j = 1; j <= count; ++j) {
      out[j - 1] = p;
      p *= rate / static_cast<double>(j + 1);
    }
    break;
  }
  case Kind::ZeroTruncatedBinomial: {
    double chance = rate / units, ratio = chance / (1 - chance), p = units * ratio * odds(rate);
    for (size_t j = 1; j <= count; ++j) {
      out[j - 1] = p;
      p *= ratio * std::max(0.0, units - static_cast<double>(j)) / static_cast<double>(j + 1);
    }
    break;
  }
  }
}

double RateKernel::logSlope(double rate, size_t cell) const {
  double j = static_cast<double>(cell) + (kind == Kind::Poisson ? 0 : 1);
  switch (kind) {
  case Kind::Poisson: return j / rate - 1;
  case Kind::ZeroTruncatedPoisson: return j / rate + 1 / std::expm1(-rate);
  case Kind::ZeroTruncatedBinomial:
    // By the rate; the last term is the truncation's.
    return j / rate - (1 - j / units) / (1 - rate / units) - odds(rate) / (1 - rate / units);
  }
  return 0;
}

double OddsPenalty::value(double odds) const {
  double over = width > 0 ? std::max(odds - knee, 0.0) : 0;
  return slope * odds + (width > 0 ? over * over / (2 * width) : 0);
}
double OddsPenalty::first(double odds) const {
  return slope + (width > 0 ? std::max(odds - knee, 0.0) / width : 0);
}
double OddsPenalty::second(double odds) const { return width > 0 && odds > knee ? 1 / width : 0; }

std::vector<double> Mixture::cells(size_t count) const {
  std::vector<double> sum(count, 0), p(count);
  for (const MixturePoint &point : points) {
    kernel.densities(point.lambda, count, p.data());
    for (size_t j = 0; j < count; ++j) sum[j] += point.weight * p[j];
  }
  return sum;
}

std::vector<double> Mixture::unconditionalCells(size_t count) const {
  std::vector<double> observed = cells(count), all(count + 1);
  all[0] = odds / (1 + odds);
  for (size_t j = 0; j < count; ++j) all[j + 1] = observed[j] / (1 + odds);
  return all;
}

MixtureFitter::MixtureFitter(unsigned largest, RateKernel kernel)
    : cells_(largest + (kernel.kind == RateKernel::Kind::Poisson ? 1 : 0)), kernel_(kernel),
      grid_(kGrid), densities_(kGrid * cells_) {
  assert(largest >= 1 && largest < 100 && "largest frequency of a fit");
  double highest = largest;
  if (kernel.kind == RateKernel::Kind::ZeroTruncatedBinomial)
    highest = std::min(highest, kernel.units * (1 - 1e-6)); // in every unit: the end of the range
  double step = std::log(highest / kSmallestRate) / (kGrid - 1);
  for (size_t i = 0; i < kGrid; ++i) {
    grid_[i] = i + 1 == kGrid ? highest : kSmallestRate * std::exp(step * static_cast<double>(i));
    kernel.densities(grid_[i], cells_, &densities_[i * cells_]);
  }
}

/// A fit on its way: the points with their densities, and what follows from the weights.
struct MixtureState {
  MixtureState(const MixtureFitter &fitter, std::span<const double> frequencies,
               const OddsPenalty &penalty)
      : fitter(fitter), f(frequencies), penalty(penalty), cells(fitter.cells_),
        ratio(fitter.cells_) {
    n = std::accumulate(f.begin(), f.end(), 0.0);
  }

  void addPoint(double lambda, double weight) {
    points.push_back({lambda, weight});
    odds.push_back(fitter.kernel_.odds(lambda));
    p.resize(points.size() * f.size());
    fitter.kernel_.densities(lambda, f.size(), &p[(points.size() - 1) * f.size()]);
  }

  void dropPoint(size_t k) {
    points.erase(points.begin() + static_cast<ptrdiff_t>(k));
    odds.erase(odds.begin() + static_cast<ptrdiff_t>(k));
    auto at = p.begin() + static_cast<ptrdiff_t>(k * f.size());
    p.erase(at, at + static_cast<ptrdiff_t>(f.size()));
  }

  /// F(j) and theta for other weights; returns the objective.
  double evaluate(const std::vector<double> &weights) {
    std::fill(cells.begin(), cells.end(), 0);
    theta = logLikelihood = 0;
    for (size_t k = 0; k < points.size(); ++k) {
      theta += weights[k] * odds[k];
      for (size_t j = 0; j < f.size(); ++j) cells[j] += weights[k] * p[k * f.size() + j];
    }
    for (size_t j = 0; j < f.size(); ++j) {
      if (f[j] > 0) logLikelihood += f[j] * std::log(cells[j]);
      ratio[j] = f[j] > 0 ? f[j] / cells[j] : 0;
    }
    return logLikelihood - penalty.value(theta);
  }

  /// G, from the densities at a rate.
  double gradient(const double *density, double oddsAtRate) const {
    double sum = -n;
    for (size_t j = 0; j < f.size(); ++j) sum += ratio[j] * density[j];
    return sum - penalty.first(theta) * (oddsAtRate - theta);
  }
  double gradientAt(double lambda) const {
    double density[100];
    fitter.kernel_.densities(lambda, f.size(), density);
    return gradient(density, fitter.kernel_.odds(lambda));
  }

  /// Derivative of G by the rate.
  double slopeAt(double lambda) const {
    double density[100];
    fitter.kernel_.densities(lambda, f.size(), density);
    double sum = 0;
    for (size_t j = 0; j < f.size(); ++j)
      sum += ratio[j] * density[j] * fitter.kernel_.logSlope(lambda, j);
    return sum - penalty.first(theta) * fitter.kernel_.oddsSlope(lambda);
  }

  const MixtureFitter &fitter;
  std::span<const double> f;
  const OddsPenalty &penalty;
  std::vector<MixturePoint> points;
  std::vector<double> odds, p; ///< per point; p(j; lambda_k) at k * L + j - 1
  std::vector<double> cells, ratio;
  double n = 0, theta = 0, logLikelihood = 0;
  std::vector<double> gridGradient = std::vector<double>(kGrid);

  struct Peak {
    double lambda, value;
  };
  std::vector<Peak> peaks();
  bool improveWeights(double &objective);
};

/// The local maxima of G: on the grid, then the root of G' between the neighbours. (The maximum
/// itself would be found to half of the digits only, and the odds depend on where it is.)
std::vector<MixtureState::Peak> MixtureState::peaks() {
  for (size_t i = 0; i < kGrid; ++i)
    gridGradient[i] =
        gradient(&fitter.densities_[i * f.size()], fitter.kernel_.odds(fitter.grid_[i]));
  std::vector<Peak> found;
  for (size_t i = 0; i < kGrid; ++i) {
    bool left = i == 0 || gridGradient[i] > gridGradient[i - 1];
    bool right = i + 1 == kGrid || gridGradient[i] >= gridGradient[i + 1];
    if (!left || !right || gridGradient[i] < -0.05 * n) continue; // far from being a support point
    double a = fitter.grid_[i == 0 ? 0 : i - 1], b = fitter.grid_[i + 1 == kGrid ? i : i + 1];
    double slopeA = slopeAt(a), slopeB = slopeAt(b);
    if (!(slopeA > 0 && slopeB < 0)) { // at an end of the grid
      found.push_back({fitter.grid_[i], gridGradient[i]});
      continue;
    }
    // Regula falsi in the Illinois form.
    double x = a;
    int side = 0;
    for (int step = 0; step < 60 && b - a > 1e-14 * b; ++step) {
      x = (a * slopeB - b * slopeA) / (slopeB - slopeA);
      if (!(x > a && x < b)) break;
      double slope = slopeAt(x);
      if (slope == 0) break;
      if (slope > 0) {
        a = x;
        slopeA = slope;
        if (side == 1) slopeB /= 2;
        side = 1;
      } else {
        b = x;
        slopeB = slope;
        if (side == -1) slopeA /= 2;
        side = -1;
      }
    }
    found.push_back({x, gradientAt(x)});
  }
  return found;
}

/// One Newton step in all weights. False when there is none that improves the objective.
bool MixtureState::improveWeights(double &objective) {
  size_t count = points.size();
  // Minimise 1/2 x'Hx - g'x over the simplex: the negative objective to second order at the weights
  // w, with g = gradient + H w.
  std::vector<double> weights(count), slope(count), hessian(count * count);
  for (size_t k = 0; k < count; ++k) weights[k] = points[k].weight;
  double second = penalty.second(theta), first = penalty.first(theta);
  for (size_t a = 0; a < count; ++a) {
    for (size_t b = 0; b <= a; ++b) {
      double sum = second * odds[a] * odds[b];
      for (size_t j = 0; j < f.size(); ++j)
        if (f[j] > 0) sum += ratio[j] / cells[j] * p[a * f.size() + j] * p[b * f.size() + j];
      hessian[a * count + b] = hessian[b * count + a] = sum;
    }
  }
  double along = 0; // directional derivative, below
  std::vector<double> linear(count);
  for (size_t a = 0; a < count; ++a) {
    slope[a] = -first * odds[a];
    for (size_t j = 0; j < f.size(); ++j) slope[a] += ratio[j] * p[a * f.size() + j];
    linear[a] = slope[a];
    for (size_t b = 0; b < count; ++b) linear[a] += hessian[a * count + b] * weights[b];
  }
  std::vector<double> target = minimiseOnSimplex(hessian, linear, weights);
  for (size_t k = 0; k < count; ++k) along += slope[k] * (target[k] - weights[k]);
  if (!(along > 0)) return false;
  std::vector<double> trial(count);
  for (double step = 1; step > 1e-12; step /= 2) {
    for (size_t k = 0; k < count; ++k) trial[k] = weights[k] + step * (target[k] - weights[k]);
    double value = evaluate(trial);
    if (value >= objective + 1e-4 * step * along) {
      objective = value;
      for (size_t k = 0; k < count; ++k) points[k].weight = trial[k];
      return true;
    }
  }
  evaluate(weights);
  return false;
}

Mixture MixtureFitter::fit(std::span<const double> frequencies, const OddsPenalty &penalty,
                           const std::vector<MixturePoint> &start) const {
  assert(frequencies.size() == cells_ && "one frequency for each place");
  MixtureState state(*this, frequencies, penalty);
  if (start.empty()) {
    double mean = 0, first = kernel_.kind == RateKernel::Kind::Poisson ? 0 : 1;
    for (size_t j = 0; j < frequencies.size(); ++j)
      mean += (static_cast<double>(j) + first) * frequencies[j] / state.n;
    state.addPoint(std::clamp(mean, grid_.front(), grid_.back()), 1);
  }
  for (const MixturePoint &point : start) state.addPoint(point.lambda, point.weight);
  std::vector<double> weights;
  auto restart = [&] {
    weights.clear();
    double sum = 0;
    for (const MixturePoint &point : state.points) sum += point.weight;
    for (MixturePoint &point : state.points) weights.push_back(point.weight /= sum);
    return state.evaluate(weights);
  };
  double objective = restart();

  Mixture result;
  bool stuck = false;
  for (; result.rounds < 200; ++result.rounds) {
    std::vector<MixtureState::Peak> peaks = state.peaks();
    result.gap = 0;
    for (const auto &peak : peaks) result.gap = std::max(result.gap, peak.value);
    result.converged = result.gap <= 1e-13 * state.n;
    // The weights of a start are made the best first: a small gap bounds the objective, not the
    // odds.
    if ((result.converged && result.rounds > 0) || stuck) break;
    for (const auto &peak : peaks) {
      bool there = false;
      for (const MixturePoint &point : state.points)
        there |= std::fabs(point.lambda - peak.lambda) < 1e-9 * peak.lambda;
      if (!there) state.addPoint(peak.lambda, 0);
    }
    double before = objective, oddsBefore = state.theta;
    // Weights to the end: a round of peaks costs more than several steps in the weights.
    for (int step = 0; step < 20; ++step) {
      double last = objective;
      if (!state.improveWeights(objective) || objective - last < 1e-13 * std::fabs(last)) break;
    }
    for (size_t k = state.points.size(); k-- > 0;)
      if (state.points[k].weight < 1e-12) state.dropPoint(k);
    objective = restart();
    stuck = objective - before < 1e-14 * std::fabs(before) &&
            std::fabs(state.theta - oddsBefore) < 1e-10 * (1e-2 + oddsBefore);
  }
  result.converged |= stuck && result.gap <= 1e-6 * state.n;

  result.kernel = kernel_;
  result.points = state.points;
  std::sort(result.points.begin(), result.points.end(),
            [](const MixturePoint &a, const MixturePoint &b) { return a.lambda < b.lambda; });
  // Twins on both sides of a maximum are one point.
  for (size_t k = 1; k < result.points.size();) {
    MixturePoint &a = result.points[k - 1], &b = result.points[k];
    if (b.lambda - a.lambda > 1e-4 * b.lambda) {
      k++;
      continue;
    }
    a.lambda = (a.lambda * a.weight + b.lambda * b.weight) / (a.weight + b.weight);
    a.weight += b.weight;
    result.points.erase(result.points.begin() + static_cast<ptrdiff_t>(k));
  }
  result.odds = state.theta;
  result.logLikelihood = state.logLikelihood;
  return result;
}

} // namespace fathom::estimate
