// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calibrated estimator on simulated programs, which are exchangeable by construction: its
// intervals hold the truth as often as they say, within what chance allows. Fixed seeds.
#include "estimate/Calibrate.h"
#include "estimate/Distributions.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace fathom;
using namespace fathom::estimate;

namespace {

struct Campaign {
  double elements = 0, reachable = 0;
  Incidence data;
};

/// A program of which some elements can be reached, with detection probabilities that are spread
/// more or less widely, and a campaign of it.
Campaign simulate(uint32_t units, Rng &rng) {
  Campaign campaign;
  auto elements = static_cast<uint32_t>(100 * std::pow(4, uniform01(rng)));
  double reachable = 0.4 + 0.55 * uniform01(rng), rarest = -2 - 4 * uniform01(rng);
  IncidenceMatrix matrix(units);
  for (uint32_t i = 0; i < elements; ++i) {
    std::vector<uint32_t> row;
    if (uniform01(rng) < reachable) {
      campaign.reachable++;
      // Of the whole campaign, so that its length in units changes nothing.
      double p =
          -std::expm1(std::log1p(-0.999 * std::pow(10, rarest * uniform01(rng))) * 64 / units);
      for (uint32_t unit = 0; unit < units; ++unit)
        if (uniform01(rng) < p) row.push_back(unit);
    }
    matrix.add(row);
  }
  campaign.elements = elements;
  campaign.data.counts = tally(matrix);
  campaign.data.matrix = std::move(matrix);
  return campaign;
}

CalibrationCase caseOf(const Campaign &campaign, uint32_t program) {
  CalibrationCase result;
  result.program = program;
  result.elements = campaign.elements;
  result.reachable = campaign.reachable;
  result.observed = static_cast<double>(campaign.data.counts.observed());
  result.features = campaignFeatures(*campaign.data.matrix, campaign.elements);
  return result;
}

Calibration calibrate(uint32_t programs, Rng &rng, uint32_t units = 32) {
  std::vector<CalibrationCase> cases;
  for (uint32_t program = 0; program < programs; ++program)
    cases.push_back(caseOf(simulate(units, rng), program));
  return fitCalibration(cases);
}

bool holds(const Interval &interval, double truth) {
  return interval.lower <= truth && truth <= interval.upper;
}

Incidence joined(const Incidence &data, uint32_t r) {
  IncidenceMatrix matrix = regroup(*data.matrix, r);
  FrequencyCounts counts = tally(matrix);
  return {counts, std::move(matrix)};
}

} // namespace

// Twelve calibrations of 80 programs, each on 60 new ones. The share of 720 trials has a standard
// error of sqrt(p (1-p) (1/720 + 1/(12*80))), which is 0.015 at 90 %: bands of three and more.
TEST(Calibration, IntervalsHoldTheTruthAsOftenAsTheySay) {
  Rng rng(1);
  int trials = 0, at90 = 0, at50 = 0, trivial = 0;
  double squaredError = 0, squaredMiddle = 0;
  for (int round = 0; round < 12; ++round) {
    Calibration calibration = calibrate(80, rng);
    for (int i = 0; i < 60; ++i) {
      Campaign campaign = simulate(32, rng);
      Estimate e = calibrated(campaign.data, std::nullopt, calibration);
      if (!e.value) continue; // beyond the range of 80: a few
      trials++;
      auto observed = static_cast<double>(campaign.data.counts.observed());
      at90 += holds(*e.interval(0.9), campaign.reachable);
      at50 += holds(*e.interval(0.5), campaign.reachable);
      trivial += holds(*e.interval(0.9), observed) && holds(*e.interval(0.9), campaign.elements);
      auto squared = [&](double value) {
        return std::pow((value - campaign.reachable) / campaign.reachable, 2);
      };
      squaredError += squared(*e.value);
      squaredMiddle += squared((observed + campaign.elements) / 2);
    }
  }
  EXPECT_GT(trials, 690);
  EXPECT_NEAR(at90 / double(trials), 0.90, 0.05);
  EXPECT_NEAR(at50 / double(trials), 0.50, 0.08);
  EXPECT_LT(trivial, trials / 3) << "intervals say more than that the truth is in the program";
  EXPECT_LT(squaredError, squaredMiddle) << "and the estimate more than the middle";
}

// Cases of one program are one piece of evidence: a calibration in which each program is there five
// times is not five times as sure.
TEST(Calibration, CopiesOfAProgramAddNothing) {
  Rng rng(2);
  std::vector<CalibrationCase> once, often;
  for (uint32_t program = 0; program < 60; ++program) {
    CalibrationCase one = caseOf(simulate(32, rng), program);
    once.push_back(one);
    for (int copy = 0; copy < 5; ++copy) often.push_back(one);
  }
  Calibration a = fitCalibration(once), b = fitCalibration(often);
  for (int i = 0; i < 20; ++i) {
    Campaign campaign = simulate(32, rng);
    Estimate x = calibrated(campaign.data, std::nullopt, a),
             y = calibrated(campaign.data, std::nullopt, b);
    ASSERT_EQ(x.value.has_value(), y.value.has_value());
    if (!x.value) continue;
    EXPECT_NEAR(*x.value, *y.value, 1e-6 * *x.value);
    EXPECT_NEAR(x.interval(0.9)->lower, y.interval(0.9)->lower, 1e-6 * *x.value);
    EXPECT_NEAR(x.interval(0.9)->upper, y.interval(0.9)->upper, 1e-6 * *x.value);
  }
}

// Longer units do not change the estimate: not at all where eight divides their number, and
// elsewhere, where joined units cannot all be of one length and the rest of a regrouping is
// dropped, by less than 2 % on average.
TEST(Calibration, RegroupingDoesNotMatter) {
  Rng rng(3);
  Calibration calibration = calibrate(80, rng, 192);
  std::vector<double> changes;
  for (int i = 0; i < 20; ++i) {
    Campaign campaign = simulate(192, rng);
    Estimate e = calibrated(campaign.data, std::nullopt, calibration);
    if (!e.value) continue;
    for (uint32_t r : {2u, 3u, 4u, 6u, 8u, 12u}) {
      Estimate longer = calibrated(joined(campaign.data, r), std::nullopt, calibration);
      ASSERT_TRUE(longer.value.has_value()) << longer.reason;
      EXPECT_EQ(*longer.value, *e.value) << r;
      EXPECT_EQ(longer.interval(0.9)->upper, e.interval(0.9)->upper);
    }
    for (uint32_t r : {5u, 7u, 9u, 10u, 11u}) {
      Estimate longer = calibrated(joined(campaign.data, r), std::nullopt, calibration);
      ASSERT_TRUE(longer.value.has_value()) << longer.reason;
      changes.push_back(*longer.value / *e.value - 1);
      EXPECT_LT(std::fabs(changes.back()), 0.05) << r;
    }
  }
  ASSERT_GT(changes.size(), 80u);
  double mean = 0, size = 0;
  for (double change : changes) {
    mean += change / static_cast<double>(changes.size());
    size += std::fabs(change) / static_cast<double>(changes.size());
  }
  EXPECT_NEAR(mean, 0, 0.02);
  EXPECT_LT(size, 0.02);
}

// Between what is covered and what there is, whatever the data; intervals are nested and hold the
// estimate; a level that no calibration of this size can promise gives the bounds themselves.
TEST(Calibration, StaysBetweenItsBounds) {
  Rng rng(4);
  Calibration calibration = calibrate(60, rng);
  int answered = 0;
  for (int i = 0; i < 200; ++i) {
    Campaign campaign = simulate(16 + rng.below(60), rng);
    auto observed = static_cast<double>(campaign.data.counts.observed());
    double elements = i % 2 ? campaign.elements : campaign.reachable;
    Estimate e = calibrated(campaign.data, elements, calibration);
    if (!e.value) continue;
    answered++;
    ASSERT_GE(*e.value, observed);
    ASSERT_LE(*e.value, elements);
    Interval outer{observed, elements};
    for (double level : {0.99, 0.9, 0.5, 0.1}) {
      Interval interval = *e.interval(level);
      ASSERT_LE(outer.lower, interval.lower);
      ASSERT_LE(interval.lower, *e.value);
      ASSERT_LE(*e.value, interval.upper);
      ASSERT_LE(interval.upper, outer.upper);
      outer = interval;
    }
    EXPECT_EQ(e.interval(0.99)->lower, observed);
    EXPECT_EQ(e.interval(0.99)->upper, elements);
  }
  EXPECT_GT(answered, 100);
}

// What is not known is not answered.
TEST(Calibration, Refuses) {
  Rng rng(5);
  Calibration calibration = calibrate(60, rng);
  auto reason = [&](const Incidence &data, std::optional<double> elements = std::nullopt) {
    Estimate e = calibrated(data, elements, calibration);
    EXPECT_EQ(e.status, Status::NotEstimable);
    EXPECT_FALSE(e.value || e.se || e.band);
    return e.reason;
  };
  Campaign campaign = simulate(32, rng);
  ASSERT_TRUE(calibrated(campaign.data, std::nullopt, calibration).value.has_value());
  EXPECT_EQ(reason({campaign.data.counts, std::nullopt}),
            "needs the matrix: which units cover an element");
  EXPECT_EQ(reason(joined(campaign.data, 5)),
            "needs 8 units, there are 6: go on, or begin with shorter ones");
  EXPECT_TRUE(calibrated(joined(campaign.data, 4), std::nullopt, calibration).value.has_value());
  // A program a hundred times as large; one of which next to nothing is covered.
  EXPECT_EQ(
      reason(campaign.data, 100 * campaign.elements)
          .find("unlike the calibration's campaigns: the logarithm of the number of elements is "),
      0u);
  IncidenceMatrix hardly(32);
  hardly.add(std::vector<uint32_t>{3});
  for (int i = 0; i < 199; ++i) hardly.add({});
  EXPECT_EQ(reason({tally(hardly), hardly})
                .find("unlike the calibration's campaigns: the log-odds of the covered share"),
            0u);
  IncidenceMatrix nothing(32);
  for (int i = 0; i < 200; ++i) nothing.add({});
  EXPECT_EQ(reason({tally(nothing), nothing}), "nothing was covered");
  // Only what is covered is listed: that may be all there is or a part of it.
  IncidenceMatrix listed(32);
  for (size_t i = 0; i < campaign.data.matrix->listed(); ++i)
    if (!campaign.data.matrix->row(i).empty()) listed.add(campaign.data.matrix->row(i));
  Incidence covered{tally(listed), listed};
  EXPECT_EQ(reason(covered),
            "needs the elements that were not covered too, or how many there are (--at-most)");
  EXPECT_EQ(*calibrated(covered, campaign.elements, calibration).value,
            *calibrated(campaign.data, std::nullopt, calibration).value);
  EXPECT_EQ(reason(covered, 2),
            "at most 2 elements, but " + std::to_string(listed.listed()) + " were covered");
  Estimate all = calibrated(covered, double(listed.listed()), calibration);
  EXPECT_EQ(all.status, Status::Fallback);
  EXPECT_EQ(all.interval(0.9)->upper, double(listed.listed()));
}

// Without features that vary, the line is the log-odds of the weighted mean share.
TEST(Calibration, LineOfConstantFeatures) {
  std::vector<CalibrationCase> cases(2);
  cases[0] = {0, {}, 100, 200, 150}; // half of 100 uncovered; weight 100/150
  cases[1] = {1, {}, 50, 100, 60};   // a fifth of 50; weight 50/60
  double mean = (0.5 * 100 / 150 + 0.2 * 50 / 60) / (100.0 / 150 + 50.0 / 60);
  Calibration::Line line = fitLine(cases, 1);
  EXPECT_NEAR(line.at({}), std::log(mean / (1 - mean)), 1e-6);
}

// With little ridge a line that is there is found, whatever units the features are in.
TEST(Calibration, LineThatIsThere) {
  Rng rng(6);
  for (double scale : {1.0, 1000.0}) {
    std::vector<CalibrationCase> cases;
    for (uint32_t program = 0; program < 200; ++program) {
      CalibrationCase one{program, {}, 1e4, 2e4, 0};
      double x = normalQuantile(uniform01(rng)), z = normalQuantile(uniform01(rng));
      one.features[static_cast<size_t>(Feature::Covered)] = x * scale;
      one.features[static_cast<size_t>(Feature::Everywhere)] = z;
      one.features[static_cast<size_t>(Feature::Elements)] = x - z; // only bounds: not to be used
      one.reachable = reachableFrom(0.3 + 0.8 * x - 0.5 * z, 1e4, 2e4);
      cases.push_back(one);
    }
    Calibration::Line line = fitLine(cases, 1e-6);
    EXPECT_NEAR(line.intercept, 0.3, 2e-3);
    EXPECT_NEAR(line.coefficients[static_cast<size_t>(Feature::Covered)] * scale, 0.8, 2e-3);
    EXPECT_NEAR(line.coefficients[static_cast<size_t>(Feature::Everywhere)], -0.5, 2e-3);
    EXPECT_EQ(line.coefficients[static_cast<size_t>(Feature::Elements)], 0);
  }
}

TEST(Calibration, TargetAndBack) {
  for (double reachable : {100.0, 101.0, 150.0, 199.0, 200.0})
    EXPECT_NEAR(reachableFrom(calibrationTarget(100, 200, reachable), 100, 200), reachable, 1e-9);
  EXPECT_EQ(reachableFrom(-800, 100, 200), 100);
  EXPECT_EQ(reachableFrom(800, 100, 200), 200);
}

// Nine outcomes of weight 1/10: as for a new one that is exchangeable with them, which is below the
// k-th smallest with probability k/10.
TEST(Calibration, PredictiveBand) {
  std::vector<Band::Weighted> outcomes;
  for (double value : {50, 20, 30, 90, 10, 80, 40, 60, 70}) outcomes.push_back({value, 0.1});
  Band band = Band::predictive(outcomes, 5, 95);
  auto expect = [&](double level, double lower, double upper) {
    EXPECT_EQ(band.at(level).lower, lower) << level;
    EXPECT_EQ(band.at(level).upper, upper) << level;
  };
  expect(0.01, 40, 60);
  expect(0.3, 30, 70);
  expect(0.45, 20, 80);
  expect(0.55, 20, 80); // one is below 20 with probability 0.2, below 30 with 0.3: more than 0.225
  expect(0.75, 10, 90);
  expect(0.9, 5, 95); // a twentieth on each side is less than one of ten
  EXPECT_EQ(band.atMost(75).at(0.55).upper, 75);
  EXPECT_EQ(band.shifted(100).at(0.55).lower, 120);
}

// Odds four times as large: 1/5 inside of what is asked for becomes 1/17.
TEST(Calibration, PredictiveBandForOtherPrograms) {
  std::vector<Band::Weighted> outcomes;
  for (int value = 1; value < 100; ++value) outcomes.push_back({double(value), 0.01});
  Band same = Band::predictive(outcomes, 0, 100), other = Band::predictive(outcomes, 0, 100, 4);
  auto expect = [](Interval interval, double lower, double upper) {
    EXPECT_EQ(interval.lower, lower);
    EXPECT_EQ(interval.upper, upper);
  };
  expect(same.at(0.81), 9, 91);
  expect(other.at(0.81), 2, 98); // 0.19 / (0.19 + 4 * 0.81) / 2 = 0.0277
  expect(same.at(0), 50, 50);
  expect(other.at(0), 50, 50);
}

// What the library brings along.
TEST(Calibration, Builtin) {
  const Calibration &builtin = builtinCalibration();
  EXPECT_GE(builtin.programs, 100u);
  EXPECT_GE(builtin.scores.size(), builtin.programs);
  EXPECT_EQ(builtin.folds.size(), 10u);
  for (const Calibration::Score &score : builtin.scores) {
    ASSERT_LT(score.program, builtin.programs);
    ASSERT_LT(score.fold, builtin.folds.size());
    ASSERT_TRUE(std::isfinite(score.value));
  }
  for (size_t f = 0; f < kFeatures; ++f) EXPECT_LT(builtin.least[f], builtin.most[f]);
}
