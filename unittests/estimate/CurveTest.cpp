// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sample coverage, rarefaction and extrapolation against iNEXT and against enumeration; the stop
// rule.
#include "Vectors.h"

#include "estimate/Accumulation.h"
#include "estimate/CoverageRate.h"
#include "estimate/Distributions.h"
#include "estimate/SampleCoverage.h"
#include "estimate/UnitSeries.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::estimate;
using namespace fathom::estimate::test;

TEST(Curve, AgainstINext) {
  int sets = 0, points = 0;
  for (const Json &set : vectors()["datasets"]) {
    if (!set.contains("extrapolation")) continue;
    SCOPED_TRACE(set["id"].get<std::string>());
    FrequencyCounts counts = dataOf(set).counts;
    const Json &expected = set["extrapolation"];
    for (size_t i = 0; i < 3; ++i)
      EXPECT_LE(relativeError(sampleCoverage(counts, i * counts.units()),
                              expected["sample_coverage_at_t_2t_3t"][i]),
                1e-6);
    for (size_t i = 0; i < expected["m"].size(); ++i, ++points)
      EXPECT_LE(relativeError(accumulated(counts, expected["m"][i]), expected["q0_at_m"][i]), 1e-6)
          << "m = " << expected["m"][i];
    sets++;
  }
  EXPECT_EQ(sets, 26);
  EXPECT_EQ(points, 130);
}

// Rarefaction is the mean over all choices of m units.
TEST(Curve, RarefactionByEnumeration) {
  IncidenceMatrix matrix(7);
  Rng rng(3);
  for (int i = 0; i < 30; ++i) {
    std::vector<uint32_t> row;
    for (uint32_t j = 0; j < 7; ++j)
      if (rng.below(10) < static_cast<uint32_t>(i % 9)) row.push_back(j);
    matrix.add(row);
  }
  std::vector<double> sum(8, 0), choices(8, 0);
  for (unsigned chosen = 0; chosen < 128; ++chosen) {
    auto m = static_cast<size_t>(__builtin_popcount(chosen));
    choices[m]++;
    for (size_t i = 0; i < matrix.listed(); ++i) {
      bool covered = false;
      for (uint32_t unit : matrix.row(i)) covered |= chosen >> unit & 1;
      sum[m] += covered;
    }
  }
  for (size_t m = 0; m <= 7; ++m)
    EXPECT_NEAR(accumulated(tally(matrix), m), sum[m] / choices[m], 1e-9) << m;
}

TEST(Curve, ExtrapolationIsInverted) {
  Rng rng(1);
  FrequencyCounts counts = dataNamed("species_butterfly").counts;
  double all = static_cast<double>(counts.observed()) + unseenByChao2(counts);
  EXPECT_EQ(accumulated(counts, 10),
            outlook(counts, std::vector<uint64_t>{10}, 1, 0, rng).curve[0].value);
  double units = *unitsToReach(counts, 0.95);
  auto whole = static_cast<uint64_t>(units);
  EXPECT_LE(accumulated(counts, counts.units() + whole), 0.95 * all);
  EXPECT_GE(accumulated(counts, counts.units() + whole + 1), 0.95 * all);
  EXPECT_EQ(*unitsToReach(counts, 0.5), 0);
  EXPECT_FALSE(unitsToReach(counts, 1).has_value());
  EXPECT_EQ(*unitsToReach(*FrequencyCounts::make(5, {{5, 3}}), 1), 0);
}

TEST(Curve, ExpectedNewOfTheNextUnitIsTheDiscoveryRate) {
  FrequencyCounts counts = dataNamed("species_butterfly").counts;
  // Equal up to the unit that is left out: Q1/t A'.
  EXPECT_NEAR(expectedNew(counts, 1) / discoveryRate(counts), 1, 0.05);
  EXPECT_LT(expectedNew(counts, 1), discoveryRate(counts));
  MissingMass mass = missingMass(counts);
  EXPECT_EQ(mass.goodTuring, discoveryRate(counts));
  EXPECT_NEAR(mass.secondOrder, 118.0 / 60 - 2 * 74.0 / (60 * 59), 1e-12);
}

TEST(Curve, Degenerate) {
  FrequencyCounts none = *FrequencyCounts::make(5, {}), full = *FrequencyCounts::make(5, {{5, 8}});
  EXPECT_EQ(sampleCoverage(none), 0);
  EXPECT_EQ(sampleCoverage(full), 1);
  EXPECT_EQ(accumulated(none, 100), 0);
  EXPECT_EQ(accumulated(full, 1), 8);
  EXPECT_EQ(accumulated(full, 0), 0);
  EXPECT_EQ(accumulated(full, 1000), 8);
  Rng rng(1);
  EXPECT_EQ(outlook(full, {}, 10, 20, rng).expectedNew.status, Status::Fallback);
  EXPECT_EQ(outlook(*FrequencyCounts::make(1, {{1, 8}}), {}, 10, 20, rng).expectedNew.status,
            Status::NotEstimable);
}

// The curve's standard error at t against the spread of many campaigns of a known population.
TEST(Curve, StandardErrorInSimulation) {
  Rng rng(20);
  std::vector<double> probabilities(300);
  for (size_t i = 0; i < probabilities.size(); ++i)
    probabilities[i] = 0.5 / (1 + static_cast<double>(i) / 10);
  std::vector<double> half, twice, news;
  double seHalf = 0, seTwice = 0, seNews = 0;
  constexpr int kCampaigns = 120;
  for (int c = 0; c < kCampaigns; ++c) {
    std::vector<uint64_t> dense(40, 0);
    for (double p : probabilities)
      if (uint64_t y = binomial(40, p, rng)) dense[y - 1]++;
    FrequencyCounts counts = *FrequencyCounts::fromDense(40, dense);
    std::vector<uint64_t> at{20, 80};
    Outlook ahead = outlook(counts, at, 40, 50, rng);
    const std::vector<CurvePoint> &curve = ahead.curve;
    news.push_back(*ahead.expectedNew.value);
    seNews += *ahead.expectedNew.se / kCampaigns;
    half.push_back(curve[0].value);
    twice.push_back(curve[1].value);
    seHalf += curve[0].se / kCampaigns;
    seTwice += curve[1].se / kCampaigns;
  }
  auto deviation = [](const std::vector<double> &v) {
    double mean = 0, squares = 0;
    for (double x : v) mean += x / static_cast<double>(v.size());
    for (double x : v) squares += (x - mean) * (x - mean);
    return std::sqrt(squares / static_cast<double>(v.size() - 1));
  };
  // 120 campaigns give a deviation to 6.5 %; the bootstrap is an approximation, besides.
  EXPECT_NEAR(seHalf / deviation(half), 1, 0.25);
  EXPECT_NEAR(seTwice / deviation(twice), 1, 0.25);
  EXPECT_NEAR(seNews / deviation(news), 1, 0.25);
}

TEST(Curve, DiscoveryProbability) {
  IncidenceMatrix matrix(10);
  matrix.add(std::vector<uint32_t>{3});
  matrix.add(std::vector<uint32_t>{3});
  matrix.add(std::vector<uint32_t>{3});
  matrix.add(std::vector<uint32_t>{7});
  matrix.add(std::vector<uint32_t>{1, 2});
  DiscoveryProbability p = discoveryProbability(matrix, 0.95);
  EXPECT_EQ(p.unitsWithSingleton, 2u);
  EXPECT_EQ(p.estimate, 0.2);
  EXPECT_EQ(p.blockSize, 2);
  EXPECT_NEAR(p.upper, 0.506901, 1e-6) << "the bound of 2 in 10";
  IncidenceMatrix saturated(10);
  saturated.add(std::vector<uint32_t>{1, 2});
  EXPECT_NEAR(discoveryProbability(saturated, 0.95).estimate, 1.0 / 12, 1e-12);
  EXPECT_NEAR(discoveryProbability(saturated, 0.95).upper, 1 - std::pow(0.05, 0.1), 1e-9);
}

TEST(Curve, UnitsWithSingletonOfTheReferenceData) {
  int sets = 0;
  for (const Json &set : vectors()["datasets"]) {
    if (!set.contains("units_with_singleton")) continue;
    Incidence data = dataOf(set);
    EXPECT_EQ(unitsWithFrequency(*data.matrix, 1, 1), set["units_with_singleton"].get<uint64_t>());
    EXPECT_EQ(unitsWithFrequency(*data.matrix, 1, 10), set["t_infreq_le_10"].get<uint64_t>());
    EXPECT_EQ(unitsWithFrequency(*data.matrix, 1, 9), set["t_infreq_lt_10"].get<uint64_t>());
    sets++;
  }
  EXPECT_EQ(sets, 10);
}

TEST(StopRule, HasToHoldForAWhile) {
  UnitSeries series;
  //                unit 1  2  3  4  5  6  7  8
  series.singletons = {5, 4, 3, 6, 3, 3, 2, 4};
  series.doubletons = {0, 4, 3, 1, 3, 3, 3, 1};
  series.observed.assign(8, 10);
  StopRule rule = stopRule(series, 3);
  EXPECT_EQ(rule.since, 5u) << "units 2 and 3 are only two";
  EXPECT_FALSE(rule.holdsNow);
  EXPECT_EQ(stopRule(series, 2).since, 2u);
  EXPECT_EQ(stopRule(series, 4).since, 0u);
}

// Against counts that are made from scratch for every prefix.
TEST(StopRule, SeriesOfPrefixes) {
  Incidence data = dataNamed("syn_beta");
  UnitSeries series = unitSeries(*data.matrix);
  uint64_t before = 0;
  for (uint32_t units = 1; units <= data.matrix->units(); ++units) {
    std::vector<uint32_t> prefix(units);
    for (uint32_t i = 0; i < units; ++i) prefix[i] = i;
    FrequencyCounts counts = tally(selectUnits(*data.matrix, prefix));
    ASSERT_EQ(series.observed[units - 1], counts.observed());
    ASSERT_EQ(series.singletons[units - 1], counts.count(1));
    ASSERT_EQ(series.doubletons[units - 1], counts.count(2));
    ASSERT_EQ(series.discovered[units - 1], counts.observed() - before);
    before = counts.observed();
  }
}

// Many elements in each of few units: they are in every unit of what is drawn, and drawing ends.
TEST(Curve, ResampleOfElementsInEveryUnit) {
  Rng rng(7);
  for (uint64_t units : {2, 3, 50}) {
    FrequencyCounts counts = *FrequencyCounts::make(units, {{1, 40}, {units, 100}});
    FrequencyCounts drawn = drawCampaign(counts, rng);
    EXPECT_EQ(drawn.units(), units);
    EXPECT_GE(drawn.count(units), 100u);
    EXPECT_GT(outlook(counts, {}, 10, 5, rng).expectedNew.value, 0.0);
  }
}

// More units than factorials can be told apart for: the same shares as with fewer.
TEST(Curve, VeryManyUnits) {
  constexpr uint64_t kMany = uint64_t(1) << 50;
  FrequencyCounts many = *FrequencyCounts::make(kMany, {{1, 400}, {2, 150}, {3, 70}, {9, 10}});
  FrequencyCounts fewer = *FrequencyCounts::make(1 << 20, {{1, 400}, {2, 150}, {3, 70}, {9, 10}});
  for (int i = 0; i <= 32; ++i)
    EXPECT_NEAR(accumulated(many, kMany / 16 * static_cast<uint64_t>(i)),
                accumulated(fewer, (1 << 16) * static_cast<uint64_t>(i)), 1e-2);
  EXPECT_NEAR(rateTrend(many)->exponent, rateTrend(fewer)->exponent, 1e-5);
}
