// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All estimators on populations whose number of elements is known: bias, standard error against the
// true spread, and how often the 90 % interval holds the truth. Fixed seeds; a band is the expected
// value with at least three standard errors of the simulation on both sides.
#include "estimate/Accuracy.h"
#include "estimate/Distributions.h"
#include "estimate/Estimators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

using namespace fathom;
using namespace fathom::estimate;

namespace {

/// Detection probabilities per unit.
using Population = std::vector<double>;

double gammaVariate(double shape, Rng &rng) {
  // Marsaglia and Tsang, with the power of a uniform for shapes below 1.
  if (shape < 1) return gammaVariate(shape + 1, rng) * std::pow(uniform01(rng), 1 / shape);
  double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    double x = normalQuantile(uniform01(rng)), v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(uniform01(rng)) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

Population homogeneous(size_t size, double p) { return Population(size, p); }
Population beta(size_t size, double a, double b, Rng &rng) {
  Population result;
  for (size_t i = 0; i < size; ++i) {
    double x = gammaVariate(a, rng), y = gammaVariate(b, rng);
    result.push_back(x / (x + y));
  }
  return result;
}
Population logUniform(size_t size, double from, Rng &rng) {
  Population result;
  for (size_t i = 0; i < size; ++i) result.push_back(std::pow(from, uniform01(rng)));
  return result;
}
Population geometric(size_t size, double first, double ratio) {
  Population result;
  for (size_t i = 0; i < size; ++i) result.push_back(first * std::pow(ratio, double(i)));
  return result;
}
Population zipf(size_t size, double first, double exponent) {
  Population result;
  for (size_t i = 1; i <= size; ++i) result.push_back(first * std::pow(double(i), -exponent));
  return result;
}

FrequencyCounts campaign(const Population &population, uint64_t units, Rng &rng) {
  std::vector<uint64_t> counts(units, 0);
  for (double p : population)
    if (uint64_t y = binomial(units, p, rng)) counts[y - 1]++;
  return *FrequencyCounts::fromDense(units, counts);
}

struct Summary {
  double bias, ratio,
      coverage; ///< mean bias, mean SE / true deviation, share of covering intervals
  uint64_t withValue, withInterval;
};

/// \param draw  a population for each trial.
std::map<Estimator, Summary> simulate(const char *name,
                                      const std::function<Population(Rng &)> &draw, uint64_t units,
                                      int trials, uint64_t seed, unsigned replicates) {
  Rng rng(seed);
  std::map<Estimator, std::vector<Estimate>> estimates;
  double truth = 0, observed = 0;
  for (int i = 0; i < trials; ++i) {
    Population population = draw(rng);
    truth = static_cast<double>(population.size());
    Incidence data{campaign(population, units, rng), std::nullopt};
    observed += static_cast<double>(data.counts.observed()) / trials;
    for (NamedEstimate &e : estimateAll(data, {.replicates = replicates, .seed = rng.next()}))
      estimates[e.estimator].push_back(std::move(e.estimate));
  }
  std::map<Estimator, Summary> result;
  printf("%s: %.0f elements, %llu units, %.0f observed\n", name, truth, (unsigned long long)units,
         observed);
  for (auto &[estimator, list] : estimates) {
    Accuracy a = accuracy(list, truth, 0.90);
    double se = 0, n = 0;
    for (const Estimate &e : list)
      if (e.se) {
        se += *e.se;
        n++;
      }
    Summary s{a.meanBias, n ? se / n / (std::sqrt(a.imprecision) * truth) : 0,
              a.coverage().value_or(-1), a.withValue, a.withInterval};
    result[estimator] = s;
    printf(
        "  %-12s bias %+.3f (median %+.3f)  rmse %.3f  SE ratio %.2f  coverage %.2f of %llu; %llu "
        "without value\n",
        estimatorName(estimator), s.bias, a.medianBias,
        std::sqrt(s.bias * s.bias + a.populationImprecision), s.ratio, s.coverage,
        (unsigned long long)a.withInterval, (unsigned long long)(a.trials - a.withValue));
  }
  return result;
}

} // namespace

TEST(Simulation, Table) {
  unsigned r = 40;
  int n = 60;
  simulate("beta(0.4, 4)", [](Rng &rng) { return beta(400, 0.4, 4, rng); }, 60, n, 1, r);
  simulate("log-uniform", [](Rng &rng) { return logUniform(800, 1e-3, rng); }, 96, n, 2, r);
  simulate("log-uniform early", [](Rng &rng) { return logUniform(800, 1e-3, rng); }, 20, n, 2, r);
  simulate("log-uniform wide", [](Rng &rng) { return logUniform(2000, 1e-4, rng); }, 200, n, 2, r);
  simulate("homogeneous", [](Rng &) { return homogeneous(300, 0.05); }, 30, n, 3, r);
  simulate("geometric", [](Rng &) { return geometric(200, 0.5, 0.97); }, 100, n, 4, r);
  simulate("Zipf 1.2", [](Rng &) { return zipf(500, 0.9, 1.2); }, 100, n, 5, r);
  simulate("Zipf 1", [](Rng &) { return zipf(1000, 0.9, 1); }, 400, n, 5, r);
}
