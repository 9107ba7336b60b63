// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes beyond the twelve: blocks of elements that come together, units that drift, trends of
// rates.
#include "Vectors.h"

#include "estimate/Accumulation.h"
#include "estimate/Blocks.h"
#include "estimate/Chao2.h"
#include "estimate/CoverageRate.h"
#include "estimate/Distributions.h"
#include "estimate/Drift.h"
#include "estimate/Estimators.h"
#include "estimate/GoodToulmin.h"
#include "estimate/Npmle.h"
#include "estimate/UnitErrors.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::estimate;
using namespace fathom::estimate::test;

/// Blocks of `size` elements each; element blocks b have probability p(b) per unit.
static IncidenceMatrix blockPopulation(uint32_t units, const std::vector<double> &p, unsigned size,
                                       Rng &rng) {
  IncidenceMatrix matrix(units);
  for (double probability : p) {
    std::vector<uint32_t> row;
    for (uint32_t j = 0; j < units; ++j)
      if (uniform01(rng) < probability) row.push_back(j);
    for (unsigned i = 0; i < size; ++i) matrix.add(row);
  }
  return matrix;
}

static double deviation(const std::vector<double> &v) {
  double mean = 0, squares = 0;
  for (double x : v) mean += x / static_cast<double>(v.size());
  for (double x : v) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(v.size() - 1));
}

TEST(Blocks, Collapse) {
  IncidenceMatrix matrix(4);
  for (auto row : std::vector<std::vector<uint32_t>>{{1}, {0, 1}, {1}, {}, {2}, {0, 1}, {1}})
    matrix.add(row);
  Blocks blocks = collapse(matrix);
  EXPECT_EQ(blocks.elements, 6u);
  EXPECT_EQ(blocks.sizes, (std::vector<uint64_t>{2, 3, 1})) << "{0,1}, {1}, {2}";
  EXPECT_NEAR(designEffect(blocks), 2, 1e-12) << "what meets by chance is taken off";
  EXPECT_EQ(tally(blocks.classes), *FrequencyCounts::make(4, {{1, 2}, {2, 1}}));
}

// Without blocks it is Chao2 (no two elements of this set have the same units by chance).
TEST(Blocks, WithoutBlocksItIsChao2) {
  IncidenceMatrix matrix(6);
  for (auto row : std::vector<std::vector<uint32_t>>{{0}, {1}, {2}, {3}, {0, 1}, {2, 4}, {1, 2, 3}})
    matrix.add(row);
  Estimate blocks = blockChao2(collapse(matrix)), plain = chao2(tally(matrix));
  EXPECT_NEAR(*blocks.value, *plain.value, 1e-9);
  EXPECT_NEAR(*blocks.se, *plain.se, 1e-9);
}

TEST(Blocks, NothingUnseen) {
  IncidenceMatrix matrix(6);
  matrix.add(std::vector<uint32_t>{0, 1, 2});
  matrix.add(std::vector<uint32_t>{0, 1, 2});
  Estimate estimate = blockChao2(collapse(matrix));
  EXPECT_EQ(estimate.status, Status::Fallback);
  EXPECT_EQ(*estimate.value, 2);
}

namespace {
/// Means over campaigns of one population, for Chao2.
struct Errors {
  double truth = 0, published = 0, widened = 0, jackknife = 0, bootstrap = 0, classesTruth = 0,
         classes = 0;
  int coveredPublished = 0, coveredWidened = 0, trials = 0;
};

Errors errorsOf(uint32_t units, const std::vector<double> &p, unsigned size, uint64_t seed) {
  Rng rng(seed);
  Errors errors;
  errors.trials = 200;
  double truth = static_cast<double>(p.size()) * size, n = errors.trials;
  std::vector<double> values, classValues;
  auto estimator = [](const FrequencyCounts &counts) { return chao2(counts); };
  for (int i = 0; i < errors.trials; ++i) {
    IncidenceMatrix matrix = blockPopulation(units, p, size, rng);
    FrequencyCounts counts = tally(matrix);
    Blocks blocks = collapse(matrix);
    Estimate plain = chao2(counts), classes = blockChao2(blocks);
    double widened = *plain.se * std::sqrt(designEffect(blocks));
    values.push_back(*plain.value);
    classValues.push_back(*classes.value);
    errors.published += *plain.se / n;
    errors.widened += widened / n;
    errors.classes += *classes.se / n;
    errors.jackknife += *unitJackknifeError(matrix, estimator) / n;
    if (i < 40) errors.bootstrap += *unitBootstrapError(matrix, estimator, 60, rng) / 40;
    auto covers = [&](const Estimate &e) {
      Interval interval = *e.interval(0.9);
      return interval.lower <= truth && truth <= interval.upper;
    };
    errors.coveredPublished += covers(plain);
    errors.coveredWidened += covers(withError(plain, double(counts.observed()), widened));
  }
  errors.truth = deviation(values);
  errors.classesTruth = deviation(classValues);
  printf("true %.1f: published %.1f, design effect %.1f, jackknife %.1f, bootstrap %.1f; classes "
         "%.1f, "
         "true %.1f; 90 %% intervals cover %d and %d of %d\n",
         errors.truth, errors.published, errors.widened, errors.jackknife, errors.bootstrap,
         errors.classes, errors.classesTruth, errors.coveredPublished, errors.coveredWidened,
         errors.trials);
  return errors;
}
} // namespace

// Blocks of eight: the published standard error is much too small.
TEST(UnitErrors, DependentElements) {
  Errors errors = errorsOf(40, std::vector<double>(200, 0.05), 8, 77);
  EXPECT_LT(errors.published, 0.5 * errors.truth);
  EXPECT_NEAR(errors.widened / errors.truth, 1, 0.2);
  EXPECT_GT(errors.jackknife, 0.9 * errors.truth);
  EXPECT_GT(errors.bootstrap, 0.75 * errors.truth);
  EXPECT_LT(errors.coveredPublished, 0.6 * errors.trials);
  EXPECT_GE(errors.coveredWidened, 0.82 * errors.trials);
}

// No blocks: nothing is widened, neither where few elements share their units by chance nor where
// many do.
TEST(UnitErrors, IndependentElements) {
  for (uint32_t units : {300u, 25u}) {
    Errors errors = errorsOf(units, std::vector<double>(300, 1.8 / units), 1, 78);
    EXPECT_NEAR(errors.published / errors.truth, 1, 0.2);
    EXPECT_NEAR(errors.widened / errors.published, 1, 0.1);
    EXPECT_GT(errors.jackknife, 0.9 * errors.truth);
  }
}

// Leaving out unit by unit, computed from scratch.
TEST(UnitErrors, JackknifeFromScratch) {
  Incidence data = dataNamed("syn_beta");
  auto estimator = [](const FrequencyCounts &counts) { return chao2(counts); };
  for (uint32_t block : {1u, 7u}) {
    std::vector<double> values;
    uint32_t t = data.matrix->units();
    for (uint32_t first = 0; first + block <= t; first += block) {
      std::vector<uint32_t> rest;
      for (uint32_t j = 0; j < t; ++j)
        if (j < first || j >= first + block) rest.push_back(j);
      values.push_back(*chao2(tally(selectUnits(*data.matrix, rest))).value);
    }
    double n = static_cast<double>(values.size());
    EXPECT_NEAR(*unitJackknifeError(*data.matrix, estimator, block),
                deviation(values) * (n - 1) / std::sqrt(n), 1e-8);
  }
  EXPECT_FALSE(unitJackknifeError(*data.matrix, estimator, 25).has_value()) << "two blocks";
}

TEST(Drift, ExchangeableUnitsAreNot) {
  Rng rng(4);
  int alarms = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<double> p(60);
    for (double &q : p) q = 0.5 * uniform01(rng);
    alarms += driftTest(blockPopulation(30, p, 1, rng))->comparison.p < 0.05;
  }
  EXPECT_LE(alarms, 20) << "5 % of 200 expected";
  EXPECT_FALSE(driftTest(blockPopulation(7, {0.5}, 1, rng)).has_value());
}

TEST(Drift, GrowingProbabilitiesAreSeen) {
  Rng rng(5);
  IncidenceMatrix matrix(40);
  for (int e = 0; e < 200; ++e) {
    std::vector<uint32_t> row;
    for (uint32_t j = 0; j < 40; ++j)
      if (uniform01(rng) < 0.01 * j) row.push_back(j);
    matrix.add(row);
  }
  DriftTest drift = *driftTest(matrix);
  EXPECT_LT(drift.comparison.p, 1e-4);
  EXPECT_LT(drift.firstMean, drift.secondMean);
  EXPECT_LT(drift.comparison.effect, 0.1);
}

// A campaign whose second part reaches what the first could not: Chao2 over all units is too small,
// over the part since then it is not.
TEST(Drift, Reset) {
  Rng rng(6);
  double plain = 0, reset = 0;
  constexpr int kTrials = 60;
  for (int trial = 0; trial < kTrials; ++trial) {
    IncidenceMatrix matrix(80);
    for (int e = 0; e < 400; ++e) {
      std::vector<uint32_t> row;
      bool late = e >= 200;
      for (uint32_t j = 0; j < 80; ++j)
        if ((!late || j >= 60) && uniform01(rng) < (late ? 0.04 : 0.3)) row.push_back(j);
      matrix.add(row);
    }
    plain += *chao2(tally(matrix)).value / kTrials;
    Window window = resetAt(matrix, 60);
    EXPECT_EQ(window.knownBefore + window.counts.observed(), tally(matrix).observed());
    Estimate estimate = resetChao2(window);
    EXPECT_GE(estimate.interval(0.9)->lower, double(tally(matrix).observed()) - 1e-9);
    reset += *estimate.value / kTrials;
  }
  // The late elements have 20 units, whatever the campaign before them: Chao2's factor (t-1)/t and
  // the frequencies hardly differ, so both are near; what differs is that a reset knows the number
  // of units.
  EXPECT_NEAR(reset, 400, 12);
  EXPECT_GE(std::fabs(plain - 400) + 1, std::fabs(reset - 400));
  EXPECT_EQ(exponentialWindows(80, 10), (std::vector<uint32_t>{40, 60, 70}));
  EXPECT_TRUE(exponentialWindows(3, 2).empty());
}

// Rarefied singletons against enumeration of all choices.
TEST(CoverageRate, RarefiedSingletons) {
  Rng rng(8);
  std::vector<double> p(40);
  for (double &q : p) q = uniform01(rng) * 0.6;
  IncidenceMatrix matrix = blockPopulation(8, p, 1, rng);
  FrequencyCounts counts = tally(matrix);
  std::vector<double> sum(9, 0), choices(9, 0);
  for (unsigned chosen = 0; chosen < 256; ++chosen) {
    auto m = static_cast<size_t>(__builtin_popcount(chosen));
    choices[m]++;
    for (size_t i = 0; i < matrix.listed(); ++i) {
      int y = 0;
      for (uint32_t unit : matrix.row(i)) y += chosen >> unit & 1;
      sum[m] += y == 1;
    }
  }
  for (size_t m = 1; m <= 8; ++m)
    EXPECT_NEAR(rarefiedSingletons(counts, m), sum[m] / choices[m], 1e-9) << m;
}

// A population whose rate is a power: p of rank i is i^-a. Its rate falls as m^(1/a - 1), beta < 1:
// no finite asymptote is claimed, and the next units are foretold.
TEST(CoverageRate, PowerLaw) {
  Rng rng(9);
  double exponent = 0, foretold = 0, came = 0;
  constexpr int kTrials = 20;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<uint64_t> dense(100, 0);
    double next = 0;
    for (int i = 1; i <= 200000; ++i) {
      double p = 0.9 * std::pow(i, -1.6);
      uint64_t y = binomial(100, p, rng);
      if (y)
        dense[y - 1]++;
      else
        next += -std::expm1(100 * std::log1p(-p));
    }
    RateTrend trend = *rateTrend(*FrequencyCounts::fromDense(100, dense));
    exponent += trend.exponent / kTrials;
    foretold += trend.expectedNew(100) / kTrials;
    came += next / kTrials;
    EXPECT_FALSE(trend.asymptote().has_value());
  }
  EXPECT_NEAR(exponent, 1 - 1 / 1.6, 0.05);
  EXPECT_NEAR(foretold / came, 1, 0.15);
}

TEST(CoverageRate, SaturatingPopulation) {
  Rng rng(10);
  std::vector<double> p(300, 0.08);
  IncidenceMatrix matrix = blockPopulation(60, p, 1, rng);
  RateTrend trend = *rateTrend(tally(matrix));
  EXPECT_GT(trend.exponent, 1);
  ASSERT_TRUE(trend.asymptote().has_value());
  EXPECT_GE(*trend.asymptote(), double(trend.observed));
  EXPECT_NEAR(trend.expectedNew(1e12), *trend.asymptote() - double(trend.observed), 1e-3);
  EXPECT_FALSE(rateTrend(*FrequencyCounts::make(60, {{3, 5}})).has_value());
}

// Few units: the binomial model is right where the Poisson one is too large.
TEST(BinomialModel, FewUnits) {
  Rng rng(31);
  double poisson = 0, binomialModel = 0;
  constexpr int kTrials = 60;
  for (int trial = 0; trial < kTrials; ++trial) {
    FrequencyCounts counts = tally(blockPopulation(8, std::vector<double>(400, 0.2), 1, rng));
    poisson += *pnpmle(counts, {.replicates = 0}).estimate.value / kTrials;
    binomialModel +=
        *pnpmle(counts, {.model = NpmleModel::Binomial, .replicates = 0}).estimate.value / kTrials;
  }
  printf("of 400: Poisson %.1f, binomial %.1f\n", poisson, binomialModel);
  EXPECT_GT(poisson, 415);
  EXPECT_NEAR(binomialModel, 410, 10) << "PNPMLE is never below Chao's bound, so a little above";
}

// Many units: the two models agree.
TEST(BinomialModel, TendsToPoisson) {
  FrequencyCounts few = dataNamed("species_butterfly").counts;
  FrequencyCounts many =
      *FrequencyCounts::make(1000000, {few.frequencies().begin(), few.frequencies().end()});
  for (auto estimator : {unpmle, pnpmle}) {
    double a = *estimator(many, {.replicates = 0}).estimate.value;
    double b = *estimator(many, {.model = NpmleModel::Binomial, .replicates = 0}).estimate.value;
    EXPECT_NEAR(a, b, 1e-4 * a);
  }
}

// The fit is certified: its gradient function is nowhere positive, at rates that it was not made
// with either.
TEST(Mixture, Certificate) {
  Rng rng(32);
  for (RateKernel kernel : {RateKernel{RateKernel::Kind::ZeroTruncatedPoisson, 0},
                            RateKernel{RateKernel::Kind::Poisson, 0},
                            RateKernel{RateKernel::Kind::ZeroTruncatedBinomial, 20}}) {
    MixtureFitter fitter(12, kernel);
    std::vector<double> f(kernel.kind == RateKernel::Kind::Poisson ? 13 : 12);
    for (int trial = 0; trial < 20; ++trial) {
      double n = 0;
      for (double &x : f) n += x = 1 + rng.below(60);
      OddsPenalty penalty{0.3 * trial, 0.1, trial % 2 ? 0.05 : 0};
      Mixture mixture = fitter.fit(f, penalty);
      ASSERT_TRUE(mixture.converged);
      double weights = 0;
      for (const MixturePoint &point : mixture.points) weights += point.weight;
      EXPECT_NEAR(weights, 1, 1e-9);
      std::vector<double> cells = mixture.cells(f.size()), p(f.size());
      for (int i = 0; i < 200; ++i) {
        double rate = 0.001 + 11.99 * uniform01(rng), gradient = -n;
        kernel.densities(rate, f.size(), p.data());
        for (size_t j = 0; j < f.size(); ++j) gradient += f[j] * p[j] / cells[j];
        gradient -= penalty.first(mixture.odds) * (kernel.odds(rate) - mixture.odds);
        EXPECT_LE(gradient, 1e-5 * n) << rate;
        // Derivatives against differences.
        double h = 1e-6 * rate;
        EXPECT_NEAR((kernel.odds(rate + h) - kernel.odds(rate - h)) / (2 * h),
                    kernel.oddsSlope(rate), 1e-5 * (1 + std::fabs(kernel.oddsSlope(rate))));
        std::vector<double> above(f.size());
        kernel.densities(rate + h, f.size(), above.data());
        for (size_t j = 0; j < f.size(); ++j)
          EXPECT_NEAR(std::log(above[j] / p[j]) / h, kernel.logSlope(rate, j),
                      1e-3 * (1 + std::fabs(kernel.logSlope(rate, j))));
      }
    }
  }
}

// What the next units bring, against what they bring: half as many, as many and twice as many
// again.
TEST(GoodToulmin, ForetellsWhatComes) {
  Rng rng(33);
  std::vector<double> p(1500);
  for (double &q : p) q = 0.2 * std::pow(1e-4, uniform01(rng));
  constexpr uint64_t kUnits = 200;
  for (uint64_t more : {100u, 200u, 400u}) {
    double foretold = 0, came = 0;
    constexpr int kTrials = 200;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<uint64_t> dense(kUnits, 0);
      for (double q : p) {
        uint64_t y = binomial(kUnits, q, rng);
        if (y)
          dense[y - 1]++;
        else
          came += -std::expm1(double(more) * std::log1p(-q)) / kTrials;
      }
      foretold += goodToulmin(*FrequencyCounts::fromDense(kUnits, dense), more) / kTrials;
    }
    printf("next %d: foretold %.1f, came %.1f\n", int(more), foretold, came);
    EXPECT_NEAR(foretold / came, 1, more <= kUnits ? 0.05 : 0.12);
  }
  EXPECT_EQ(goodToulmin(*FrequencyCounts::make(5, {{1, 4}}), 0), 0);
  EXPECT_EQ(goodToulmin(*FrequencyCounts::make(5, {{2, 4}}), 5), 0) << "never negative";
  EXPECT_EQ(goodToulmin(FrequencyCounts(), 5), 0);
  EXPECT_NEAR(goodToulmin(*FrequencyCounts::make(10, {{1, 4}, {2, 1}}), 5), 2 - 0.25, 1e-12);
}

/// One element in one unit and one in two, the others everywhere: no resample on which something
/// can be fitted differs, and that is no certainty.
TEST(Npmle, NoIntervalOfEqualResamples) {
  Incidence data;
  data.counts = *FrequencyCounts::make(26, {{1, 1}, {2, 1}, {26, 31}});
  EstimateOptions options;
  options.replicates = 200;
  for (Estimator estimator : {Estimator::Unpmle, Estimator::Pnpmle}) {
    Estimate estimate = estimateOne(estimator, data, options);
    EXPECT_TRUE(estimate.value.has_value());
    EXPECT_FALSE(estimate.se.has_value());
    EXPECT_FALSE(estimate.interval(0.9).has_value());
    EXPECT_EQ(estimate.status, Status::VarianceUnavailable);
    EXPECT_NE(estimate.reason, "");
  }
}
